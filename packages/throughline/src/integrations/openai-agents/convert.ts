import { messagesIn, nativesIn } from '../../wires/wire.ts'
import { openaiAgentsWire } from '../../wires/openai-agents/wire.ts'
import type { AgentItem } from '../../wires/openai-agents/contents.ts'
import type { Message } from '../../log/message.ts'

/**
 * Converts items of the Agents SDK to messages of a session without loss: `toAgentItems` converts
 * them back.
 * @throws MessageConversionError if they contain something that JSON can't represent; it says
 * where.
 * @example
 * fromAgentItems([{ role: 'user', content: 'hi' }]) // [{ role: 'user', content: 'hi' }]
 */
export function fromAgentItems(items: readonly AgentItem[]): Message[] {
  return messagesIn(openaiAgentsWire.read(items))
}

/**
 * Converts messages of a session to items of the Agents SDK.
 * @throws MessageConversionError if the SDK has no counterpart for a part; it says where.
 * @example
 * toAgentItems<AgentInputItem>(session.messages())
 */
export function toAgentItems<Item extends AgentItem = AgentItem>(
  messages: readonly Message[],
): Item[] {
  return nativesIn(openaiAgentsWire.write(messages)) as Item[]
}
