import { messagesIn, nativesIn } from '../../../wires/wire.ts'
import { openaiResponsesWire } from '../../../wires/openai-responses/wire.ts'
import type { Message } from '../../../log/message.ts'
import type { ResponsesItem } from '../../../wires/openai-responses/item.ts'

/**
 * Items of the Responses API as messages of a session, with nothing lost: `toInputItems` gives
 * them back.
 * @throws MessageConversionError if they hold what JSON cannot say, and where.
 * @example
 * fromInputItems([{ role: 'user', content: 'hi' }]) // [{ role: 'user', content: 'hi' }]
 */
export function fromInputItems(items: readonly ResponsesItem[]): Message[] {
  return messagesIn(openaiResponsesWire.read(items))
}

/**
 * Messages of a session as the Responses API takes them.
 * @throws MessageConversionError if the API cannot say a part, and where.
 * @example
 * toInputItems<ResponseInputItem>(session.messages())
 */
export function toInputItems<Item extends ResponsesItem = ResponsesItem>(
  messages: readonly Message[],
): Item[] {
  return nativesIn(openaiResponsesWire.write(messages)) as Item[]
}
