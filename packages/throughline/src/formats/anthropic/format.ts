import { anthropicWire } from '../../wires/anthropic/wire.ts'
import { apiReader } from '../api-reader.ts'
import { clockTime } from '../writing/clock-time.ts'
import { detectApi } from '../detect/detect-api.ts'
import { documentOf } from './document.ts'
import { fieldsOf, nameOf, textOf } from '../../json/fields.ts'
import { finishOf, usageOf } from '../../wires/anthropic/usage.ts'
import { notes } from '../../wires/anthropic/message.ts'
import { outputText } from '../../log/message-text.ts'
import { refusalWords } from '../claude-code/refusal.ts'
import type { Format } from '../format.ts'

/** Messages of Anthropic's Messages API: alone, or in requests and answers. */
export const anthropic: Format = {
  name: 'anthropic',
  place: 'Messages API messages as JSON or JSON lines',
  recognises: (records) => detectApi(records) === 'anthropic',
  reader: () =>
    apiReader({
      wire: anthropicWire,
      notes,
      documentOf,
      // A message that came as an answer carries its own id, model and usage.
      detailsIn: (native) => ({
        id: nameOf(native['id']),
        at: clockTime(native['timestamp'] ?? native['created_at']),
        model: nameOf(native['model']),
        usage: usageOf(native['usage']),
        finish: finishOf(native['stop_reason']),
      }),
      // The API sends the model no more than its own compaction and what follows.
      standing(message) {
        const summary = textOf(fieldsOf(notes.of(message)['block'])?.['content'])
        return summary === undefined ? undefined : { checkpoint: summary }
      },
      wordsIn: ({ output }) => refusalWords({ content: outputText(output) }),
    }),
}
