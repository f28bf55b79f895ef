import { openaiChatWire } from '../../../wires/openai-chat/wire.ts'
import { messagesIn, nativesIn } from '../../../wires/wire.ts'
import type { ChatMessage } from '../../../wires/openai-chat/message.ts'
import type { Message } from '../../../log/message.ts'

/**
 * Messages of Chat Completions as messages of a session, with nothing lost: `toChatMessages` gives
 * them back.
 * @throws MessageConversionError if they hold what JSON cannot say, and where.
 * @example
 * fromChatMessages([{ role: 'user', content: 'hi' }]) // [{ role: 'user', content: 'hi' }]
 */
export function fromChatMessages(params: readonly ChatMessage[]): Message[] {
  return messagesIn(openaiChatWire.read(params))
}

/**
 * Messages of a session as Chat Completions takes them.
 * @throws MessageConversionError if the API cannot say a part, and where.
 * @example
 * toChatMessages<ChatCompletionMessageParam>(session.messages())
 */
export function toChatMessages<M extends ChatMessage = ChatMessage>(
  messages: readonly Message[],
): M[] {
  return nativesIn(openaiChatWire.write(messages)) as M[]
}
