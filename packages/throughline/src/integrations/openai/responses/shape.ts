import { readItems } from '../../../wires/openai-responses/read.ts'
import { remembering, type RememberingWire } from '../../../wires/twins.ts'
import { writeItems } from '../../../wires/openai-responses/write.ts'
import type { Shape } from '../../../wires/wire.ts'
import type { ResponsesItem } from '../../../wires/openai-responses/item.ts'

/** The Responses API as it is, with nothing remembered. */
export const responsesItems: Shape<ResponsesItem> = { read: readItems, write: writeItems }

/** The Responses API, with what has been read and written in this process remembered. */
export const responsesShape: RememberingWire<ResponsesItem> = remembering(responsesItems)
