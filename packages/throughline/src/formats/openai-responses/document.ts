import { messageSign } from '../api-sign.ts'
import { clockTime } from '../clock-time.ts'
import { nameOf, objectsOf, textOf, type Fields } from '../fields.ts'
import { bodyOf } from '../request-body.ts'
import { finishOf, usageOf } from './usage.ts'
import type { ApiDocument } from '../api-reader.ts'

/** A request of the Responses API, its response, or both. */
export function documentOf(record: Fields): ApiDocument | undefined {
  if (messageSign(record)) return undefined
  const request = bodyOf(record, requestNames, (body) => isInput(body['input']))
  const response = bodyOf(record, responseNames, isResponse)
  if (!request && !response) return undefined
  const model = nameOf(response?.['model']) ?? nameOf(request?.['model'])
  const input = request?.['input']
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

const requestNames = ['request', 'body', 'params']
const responseNames = ['response', 'output', 'body']

function isInput(input: unknown): boolean {
  return typeof input === 'string' || Array.isArray(input)
}

function isResponse(body: Fields): boolean {
  return Array.isArray(body['output']) && (body['object'] === 'response' || 'usage' in body)
}
