import { llamaindexWire } from '../../wires/llamaindex/wire.ts'
import { remembering, type RememberingWire } from '../../wires/remembering/remembering.ts'
import type { LlamaIndexMessage } from '../../wires/llamaindex/message.ts'

/** LlamaIndex, with what has been read and written in this process remembered. */
export const rememberedLlamaIndex: RememberingWire<LlamaIndexMessage> = remembering(llamaindexWire)
