import { openaiResponsesWire } from '../../../wires/openai-responses/wire.ts'
import { remembering, type RememberingWire } from '../../../wires/remembering/remembering.ts'
import type { ResponsesItem } from '../../../wires/openai-responses/item.ts'

/** The Responses API, with what has been read and written in this process remembered. */
export const rememberedResponses: RememberingWire<ResponsesItem> = remembering(openaiResponsesWire)
