import { apiReader } from '../api-reader.ts'
import { detectApi } from '../detect/detect-api.ts'
import { documentOf } from './document.ts'
import { nameOf } from '../../json/fields.ts'
import { notes } from '../../wires/openai-chat/message.ts'
import { openaiChatWire } from '../../wires/openai-chat/wire.ts'
import { textCalls } from './text-calls.ts'
import type { Format } from '../format.ts'

/** Messages of OpenAI's Chat Completions: alone, or in requests and completions. */
export const openaiChat: Format = {
  name: 'openai-chat',
  place: 'Chat Completions messages as JSON or JSON lines',
  recognises: (records) => detectApi(records) === 'openai-chat',
  reader: () =>
    apiReader({
      wire: openaiChatWire,
      notes,
      documentOf,
      sourceOf(native) {
        const name = native['role'] === 'user' ? nameOf(native['name']) : undefined
        return name === undefined ? undefined : { source: { name } }
      },
      translator: textCalls,
    }),
}
