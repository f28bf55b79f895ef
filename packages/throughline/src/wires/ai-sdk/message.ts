import { notesUnder } from '../note.ts'

/**
 * A message of the AI SDK, as far as Throughline looks at it: a `ModelMessage`, or a `UIMessage`
 * with parts in the place of the content.
 */
export interface AiSdkMessage {
  role: string
}

/** What we say of the SDK's messages ourselves: its own shape is ours. */
export const notes = notesUnder('ai-sdk')
