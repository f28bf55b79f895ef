import { anthropicWire } from '../../wires/anthropic/wire.ts'
import { messagesIn, nativesIn } from '../../wires/wire.ts'
import type { Message } from '../../log/message.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'

/**
 * Messages of the Messages API as messages of a session, with nothing lost: `toMessageParams` gives
 * them back.
 * @throws MessageConversionError if they hold what JSON cannot say, and where.
 * @example
 * toMessages([{ role: 'user', content: 'hi' }]) // [{ role: 'user', content: 'hi' }]
 */
export function toMessages(params: readonly AnthropicMessage[]): Message[] {
  return messagesIn(anthropicWire.read(params))
}

/**
 * Messages of a session as the Messages API takes them.
 * @throws MessageConversionError if the API has no block for a part, and where.
 * @example
 * toMessageParams<MessageParam>(session.messages())
 */
export function toMessageParams<M extends AnthropicMessage = AnthropicMessage>(
  messages: readonly Message[],
): M[] {
  return nativesIn(anthropicWire.write(messages)) as M[]
}
