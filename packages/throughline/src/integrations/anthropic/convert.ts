import { anthropicWire } from '../../wires/anthropic/wire.ts'
import { messagesIn, nativesIn } from '../../wires/wire.ts'
import type { Message } from '../../log/message.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'

/**
 * Converts messages of the Messages API to messages of a session without loss: `toMessageParams`
 * converts them back.
 * @throws MessageConversionError if they contain something that JSON can't represent; it says
 * where.
 * @example
 * toMessages([{ role: 'user', content: 'hi' }]) // [{ role: 'user', content: 'hi' }]
 */
export function toMessages(params: readonly AnthropicMessage[]): Message[] {
  return messagesIn(anthropicWire.read(params))
}

/**
 * Converts messages of a session to messages of the Messages API.
 * @throws MessageConversionError if the API has no block for a part; it says where.
 * @example
 * toMessageParams<MessageParam>(session.messages())
 */
export function toMessageParams<M extends AnthropicMessage = AnthropicMessage>(
  messages: readonly Message[],
): M[] {
  return nativesIn(anthropicWire.write(messages)) as M[]
}
