import { detectApi } from '../detect/detect-api.ts'
import { openaiResponsesReader } from './reader.ts'
import type { Format } from '../format.ts'

/** Items of OpenAI's Responses API: alone, or in requests and responses. */
export const openaiResponses: Format = {
  name: 'openai-responses',
  place: 'items of the Responses API as JSON or JSON lines',
  recognises: (records) => detectApi(records) === 'openai-responses',
  reader: openaiResponsesReader,
}
