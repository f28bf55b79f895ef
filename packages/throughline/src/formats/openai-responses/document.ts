import { messageSign } from '../detect/api-sign.ts'
import { clockTime } from '../writing/clock-time.ts'
import { nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { answerIn, holdsMessages, messagesIn, requestIn } from '../detect/request-body.ts'
import { finishOf, usageOf } from '../../wires/openai-responses/usage.ts'
import type { ApiDocument } from '../api-reader.ts'

/** A request of the Responses API, its response, or both. */
export function documentOf(record: Fields): ApiDocument | undefined {
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
