import { messagesIn, nativesIn } from '../../../wires/wire.ts'
import { openaiResponsesWire } from '../../../wires/openai-responses/wire.ts'
import type { Message } from '../../../log/message.ts'
import type { ResponsesItem } from '../../../wires/openai-responses/item.ts'

/**
 * Converts items of the Responses API to messages of a session without loss: `toInputItems`
 * converts them back.
 * @throws MessageConversionError if they contain something that JSON can't represent; it says
 * where.
 * @example
 * fromInputItems([{ role: 'user', content: 'hi' }]) // [{ role: 'user', content: 'hi' }]
 */
export function fromInputItems(items: readonly ResponsesItem[]): Message[] {
  return messagesIn(openaiResponsesWire.read(items))
}

/**
 * Converts messages of a session to items of the Responses API.
 * @throws MessageConversionError if the API has no counterpart for a part; it says where.
 * @example
 * toInputItems<ResponseInputItem>(session.messages())
 */
export function toInputItems<Item extends ResponsesItem = ResponsesItem>(
  messages: readonly Message[],
): Item[] {
  return nativesIn(openaiResponsesWire.write(messages)) as Item[]
}
