import { detectApi } from '../detect/detect-api.ts'
import { anthropicReader } from './reader.ts'
import type { Format } from '../format.ts'

/** Messages of Anthropic's Messages API: alone, or in requests and answers. */
export const anthropic: Format = {
  name: 'anthropic',
  place: 'messages of the Messages API as JSON or JSON lines',
  recognises: (records) => detectApi(records) === 'anthropic',
  reader: anthropicReader,
}
