import { openaiChatWire } from '../../../wires/openai-chat/wire.ts'
import { messagesIn, nativesIn } from '../../../wires/wire.ts'
import type { ChatMessage } from '../../../wires/openai-chat/message.ts'
import type { Message } from '../../../log/message.ts'

/**
 * Converts messages of Chat Completions to messages of a session without loss: `toChatMessages`
 * converts them back.
 * @throws MessageConversionError if they contain something that JSON can't represent; it says
 * where.
 * @example
 * fromChatMessages([{ role: 'user', content: 'hi' }]) // [{ role: 'user', content: 'hi' }]
 */
export function fromChatMessages(params: readonly ChatMessage[]): Message[] {
  return messagesIn(openaiChatWire.read(params))
}

/**
 * Converts messages of a session to messages of Chat Completions.
 * @throws MessageConversionError if the API has no counterpart for a part; it says where.
 * @example
 * toChatMessages<ChatCompletionMessageParam>(session.messages())
 */
export function toChatMessages<M extends ChatMessage = ChatMessage>(
  messages: readonly Message[],
): M[] {
  return nativesIn(openaiChatWire.write(messages)) as M[]
}
