import { apiReader } from '../api-reader.ts'
import { detectApi } from '../detect/detect-api.ts'
import { documentOf } from './document.ts'
import { nameOf } from '../../json/fields.ts'
import { notes } from '../../wires/openai-responses/item.ts'
import { openaiResponsesWire } from '../../wires/openai-responses/wire.ts'
import { parsedFields } from '../../wires/unknown-part.ts'
import type { Format } from '../format.ts'

/** Items of OpenAI's Responses API: alone, or in requests and responses. */
export const openaiResponses: Format = {
  name: 'openai-responses',
  place: 'Responses API items as JSON or JSON lines',
  recognises: (records) => detectApi(records) === 'openai-responses',
  reader: () =>
    apiReader({
      wire: openaiResponsesWire,
      notes,
      documentOf,
      // Only the provider can read what it compacted.
      standing(message) {
        if (notes.of(message)['form'] !== 'item') return undefined
        const part = parsedFields(message.content) ?? {}
        const kind = `openai.${nameOf(part['type']) ?? 'item'}` as const
        return { parts: [{ type: 'custom', kind, ...notes.with({ part }) }] }
      },
    }),
}
