import { llamaindexWire } from '../../wires/llamaindex/wire.ts'
import { messagesIn, nativesIn } from '../../wires/wire.ts'
import type { LlamaIndexMessage } from '../../wires/llamaindex/contents.ts'
import type { Message } from '../../log/message.ts'

/**
 * Converts messages of LlamaIndex to messages of a session without loss: `toLlamaIndexMessages`
 * converts them back.
 * @throws MessageConversionError if they contain something that JSON can't represent; it says
 * where.
 * @example
 * fromLlamaIndexMessages([{ role: 'user', content: 'hi' }]) // [{ role: 'user', content: 'hi' }]
 */
export function fromLlamaIndexMessages(messages: readonly LlamaIndexMessage[]): Message[] {
  return messagesIn(llamaindexWire.read(messages))
}

/**
 * Converts messages of a session to LlamaIndex's.
 * @throws MessageConversionError if LlamaIndex has no counterpart for a part; it says where.
 * @example
 * toLlamaIndexMessages<ChatMessage>(session.messages())
 */
export function toLlamaIndexMessages<Native extends LlamaIndexMessage = LlamaIndexMessage>(
  messages: readonly Message[],
): Native[] {
  return nativesIn(llamaindexWire.write(messages)) as Native[]
}
