import { notesUnder } from '../note.ts'

/**
 * A message of the Messages API, as far as Throughline reads it: the SDK's `MessageParam` and
 * `BetaMessageParam`, and the `Message` that comes as an answer.
 */
export interface AnthropicMessage {
  role: 'user' | 'assistant' | 'system'
  /** Only a system message may lack one. */
  content?: string | readonly { type: string }[]
}

/** What the Messages API says beyond our own shape. */
export const notes = notesUnder('anthropic-sdk')
