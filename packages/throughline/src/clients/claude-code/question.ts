/** The recall tool of the plugin, as Claude Code names it to its model. */
export const recallTool = 'mcp__plugin_throughline_throughline__recall'

/** Of a hook it takes at most 10,000 characters; of more, it shows the first and the last. */
export const takes = { before: 9_500, after: 9_800 }

/** Why the client’s model wrote no summary, where it may still be writing one. */
export const tookTooLong = 'the client’s model took too long'

/** What the hooks module asks the program beside it, as JSON on standard input. */
export type ModuleQuestion = StartQuestion | InstructionsQuestion | CompactQuestion

interface StartQuestion {
  ask: 'start'
  session: string
  version: string
}

interface InstructionsQuestion {
  ask: 'instructions'
  session: string
  directory: string
}

export interface CompactQuestion extends WrittenByModel {
  ask: 'compact'
  session: string
  version: string
  directory: string
  /** The window of the model, in tokens. */
  window: number
  focus?: string
  /** The ids of the messages that the client would compact, in order. */
  handles: readonly string[]
  /** The file that will say what the model wrote: until then, all that does not need it is done. */
  awaits?: string
}

/** What is known once the client's model has answered. */
export interface WrittenByModel {
  /** What the client's own model wrote; without it, code writes the summary. */
  summary?: string
  /** What the client's own compaction would keep behind it, as text. */
  tail?: string
  /** Why it did not write one. */
  noSummary?: string
  /** How long the client has waited so far, in milliseconds. */
  waited: number
  /** When that was known, in milliseconds since 1970. */
  given?: number
}

/** What comes back. `null`: the client compacts by itself. */
export type ModuleAnswer = InstructionsAnswer | KeptContext | { started: true } | null

export interface InstructionsAnswer {
  instructions: string
  local: boolean
  /** How long the client's model is waited for, in milliseconds. */
  patience: number
  /** The file into which what the model writes is to be given. */
  give?: string
}

/** The context after a compaction, and its sizes in tokens. */
export interface KeptContext {
  kept: readonly KeptMessage[]
  before: number
  after: number
}

/** A message of the client's next context, in the form that its hooks modules use. */
export interface KeptMessage {
  role: 'user' | 'assistant'
  text: string
  toolUses: readonly { tool_use_id: string; tool: string; input: unknown }[]
  toolResults?: readonly { tool_use_id: string; text: string; isError: boolean }[]
}
