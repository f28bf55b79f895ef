import { geminiWire } from '../../wires/gemini/wire.ts'
import { messagesIn, nativesIn } from '../../wires/wire.ts'
import type { GeminiContent } from '../../wires/gemini/read-parts.ts'
import type { Message } from '../../log/message.ts'

/**
 * Converts contents of Gemini’s API to messages of a session without loss: `toContents` converts
 * them back.
 * @throws MessageConversionError if they contain something that JSON can't represent; it says
 * where.
 * @example
 * fromContents([{ role: 'user', parts: [{ text: 'hi' }] }])
 * // [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]
 */
export function fromContents(contents: readonly GeminiContent[]): Message[] {
  return messagesIn(geminiWire.read(contents))
}

/**
 * Converts messages of a session to contents of Gemini’s API.
 * @throws MessageConversionError if the API has no counterpart for a part; it says where.
 * @example
 * toContents<Content>(session.messages())
 */
export function toContents<Content extends GeminiContent = GeminiContent>(
  messages: readonly Message[],
): Content[] {
  return nativesIn(geminiWire.write(messages)) as Content[]
}
