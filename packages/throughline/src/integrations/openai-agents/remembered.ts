import { openaiAgentsWire } from '../../wires/openai-agents/wire.ts'
import { remembering, type RememberingWire } from '../../wires/remembering/remembering.ts'
import type { AgentItem } from '../../wires/openai-agents/item.ts'

/** The Agents SDK, with what has been read and written in this process remembered. */
export const rememberedAgents: RememberingWire<AgentItem> = remembering(openaiAgentsWire)
