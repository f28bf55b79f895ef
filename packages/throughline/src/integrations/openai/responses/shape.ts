import { readItems } from './read-items.ts'
import { remembering, type RememberingShape } from '../../shapes/twins.ts'
import { writeItems } from './write-items.ts'
import type { Shape } from '../../shapes/shape.ts'
import type { ResponsesItem } from './types.ts'

/** The Responses API as it is, with nothing remembered. */
export const responsesItems: Shape<ResponsesItem> = { read: readItems, write: writeItems }

/** The Responses API, with what has been read and written in this process remembered. */
export const responsesShape: RememberingShape<ResponsesItem> = remembering(responsesItems)
