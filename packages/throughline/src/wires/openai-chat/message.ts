import { notesUnder } from '../note.ts'

/** A message of Chat Completions, as far as Throughline reads it: `ChatCompletionMessageParam`. */
export interface ChatMessage {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function'
  content?: string | readonly { type: string }[] | null
}

/** What Chat Completions says beyond our own shape. */
export const notes = notesUnder('openai-chat')
