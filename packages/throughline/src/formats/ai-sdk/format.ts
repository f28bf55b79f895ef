import { aiSdkWire } from '../../wires/ai-sdk/wire.ts'
import { apiReader } from '../api-reader.ts'
import { detectApi } from '../detect/detect-api.ts'
import { documentOf } from './document.ts'
import { nameOf } from '../../json/fields.ts'
import { notedOrigin } from './noted-origin.ts'
import { notes } from '../../wires/ai-sdk/message.ts'
import type { Format } from '../format.ts'

/** The AI SDK's model messages and UI messages, alone or in requests. */
export const aiSdk: Format = {
  name: 'ai-sdk',
  place: 'AI SDK messages as JSON or JSON lines',
  recognises: (records) => detectApi(records) === 'ai-sdk',
  reader: () =>
    apiReader({
      wire: aiSdkWire,
      notes,
      documentOf,
      sourceOf(native) {
        const id = nameOf(native['id'])
        return id === undefined ? undefined : { source: { message: id } }
      },
      originOf: notedOrigin,
      toolMessages: 'as-written',
    }),
}
