import { aiSdkWriter } from './writer.ts'
import { aiSdkWire } from '../../wires/ai-sdk/wire.ts'
import { apiReader } from '../api-reader.ts'
import { detectApi } from '../detect/detect-api.ts'
import { nameOf, fieldsOf, objectsOf, textOf } from '../../json/fields.ts'
import { notes, finishOf, usageOf } from '../../wires/ai-sdk/read-parts.ts'
import { messageSign } from '../detect/api-sign.ts'
import { clockTime } from '../writing/written-fields.ts'
import { holdsMessages, messagesIn, requestIn } from '../detect/request-body.ts'
import type { ApiDocument } from '../api-reader.ts'
import type { Fields } from '../../json/fields.ts'
import type { WrittenFormat } from '../writing/harness.ts'
import type { Origin } from '../../log/entry.ts'

/** The AI SDK's model messages and UI messages, alone or in requests. */
export const aiSdk: WrittenFormat = {
  writer: aiSdkWriter,
  name: 'ai-sdk',
  place: 'AI SDK messages as JSON or JSON lines',
  recognises: (records) => detectApi(records) === 'ai-sdk',
  reader: (ledger) =>
    apiReader(
      {
        wire: aiSdkWire,
        notes,
        documentOf,
        sourceOf(native) {
          const id = nameOf(native['id'])
          return id === undefined ? undefined : { source: { message: id } }
        },
        originOf: notedOrigin,
        toolMessages: 'as-written',
      },
      ledger,
    ),
}

/** The input or output of a call to the SDK, or both; or a saved chat. */
function documentOf(record: Fields): ApiDocument | undefined {
  if (messageSign(record)) return undefined
  const request = requestIn(record, holdsMessages)
  const response = fieldsOf(record['response'])
  const answer = objectsOf(response?.['messages'])
  if (!request && answer.length === 0) return undefined
  // The usage is that of the last step.
  const newest = answer.findLastIndex(({ role }) => role === 'assistant')
  const before = newest < 0 ? answer.length : newest
  const model = nameOf(response?.['modelId']) ?? nameOf(request?.['model'])
  const id = request && nameOf(request['id'])
  return {
    system: textOf(request?.['instructions']) ?? textOf(request?.['system']) ?? '',
    messages: [...objectsOf(request && messagesIn(request)), ...answer.slice(0, before)],
    answer: answer.slice(before),
    details: {
      at: clockTime(response?.['timestamp']),
      model: nameOf(response?.['modelId']),
      usage: usageOf(record['usage']),
      finish: finishOf(record['finishReason']),
    },
    facts: { ...(id && { id }), ...(model && { model }) },
    whole: request !== undefined,
  }
}

/** The author of a user's message, if we noted it. */
function notedOrigin(message: Fields): Origin | undefined {
  const noted = fieldsOf(fieldsOf(message['providerOptions'])?.['throughline'])
  const origin = noted?.['origin']
  return origin === 'harness' || origin === 'human' ? origin : undefined
}
