import { notesUnder } from '../note.ts'

/** An item of an agent's input or output, as far as Throughline reads it: `AgentInputItem`. */
export interface AgentItem {
  type?: string | undefined
}

/** What the Agents SDK has beyond our own shape. */
export const notes = notesUnder('openai-agents')
