import { notesUnder } from '../note.ts'

/** A message of LlamaIndex, as far as Throughline reads it: `ChatMessage`. */
export interface LlamaIndexMessage {
  role: string
  content: unknown
  options?: object | undefined
}

/** What LlamaIndex has beyond our own shape. */
export const notes = notesUnder('llamaindex')
