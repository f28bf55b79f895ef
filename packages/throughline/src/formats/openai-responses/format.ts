import { apiReader, type ApiDocument } from '../api-reader.ts'
import { detectApi } from '../detect/detect-api.ts'
import { nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { notes } from '../../wires/openai-responses/calls.ts'
import { openaiResponsesWire } from '../../wires/openai-responses/write.ts'
import { parsedFields } from '../../wires/unknown-part.ts'
import type { WrittenFormat } from '../writing/harness.ts'
import { messageSign } from '../detect/api-sign.ts'
import { clockTime, jsonDocument } from '../writing/written-fields.ts'
import { answerIn, holdsMessages, messagesIn, requestIn } from '../detect/request-body.ts'
import { finishOf, usageOf } from '../../wires/openai-responses/read.ts'
import { lenientWriting } from '../../wires/reading.ts'
import { nativesIn } from '../../wires/wire.ts'
import { writtenMessages } from '../api-written.ts'
import type { FormatWriter } from '../writing/format-writer.ts'

/** Writes what a request of the Responses API holds of a session. */
export const openaiResponsesWriter: FormatWriter = {
  name: 'openai-responses',
  write({ facts: { system }, ...written }, { session }) {
    const document = {
      ...(system !== undefined && { instructions: system }),
      input: nativesIn(openaiResponsesWire.write(writtenMessages(written), lenientWriting)),
    }
    return { session, text: jsonDocument(document) }
  },
}

/** Items of OpenAI's Responses API: alone, or in requests and responses. */
export const openaiResponses: WrittenFormat = {
  writer: openaiResponsesWriter,
  name: 'openai-responses',
  place: 'Responses API items as JSON or JSON lines',
  recognises: (records) => detectApi(records) === 'openai-responses',
  reader: (ledger) =>
    apiReader(
      {
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
      },
      ledger,
    ),
}

/** A request of the Responses API, its response, or both. */
function documentOf(record: Fields): ApiDocument | undefined {
  if (messageSign(record)) return undefined
  const request = requestIn(record, isRequest)
  const response = answerIn(record, isResponse)
  if (!request && !response) return undefined
  const model = nameOf(response?.['model']) ?? nameOf(request?.['model'])
  const input = request && (textOf(request['input']) ?? messagesIn(request))
  return {
    // A response repeats the instructions of its request.
    system: textOf(request?.['instructions']) ?? textOf(response?.['instructions']) ?? '',
    messages: typeof input === 'string' ? [{ role: 'user', content: input }] : objectsOf(input),
    answer: objectsOf(response?.['output']),
    details: {
      id: nameOf(response?.['id']),
      at: clockTime(response?.['created_at']),
      model,
      usage: usageOf(response?.['usage']),
      finish: response && finishOf(response),
    },
    facts: { ...(model && { model }) },
    // A request that names the response before it says only what is new.
    whole: request !== undefined && !nameOf(request['previous_response_id']),
  }
}

function isRequest(body: Fields): boolean {
  return typeof body['input'] === 'string' || holdsMessages(body)
}

function isResponse(body: Fields): boolean {
  return Array.isArray(body['output']) && (body['object'] === 'response' || 'usage' in body)
}
