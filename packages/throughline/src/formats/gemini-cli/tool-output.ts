import {
  boundedValue,
  fieldsOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import { inlineData, partsOf } from './user-parts.ts'
import type { ToolOutput, ToolOutputPart } from '../../log/message.ts'

/** What the record of a call gave the model; `undefined` if it never got a result. */
export function callOutput(call: Fields): ToolOutput | undefined {
  const { result, status } = call
  if (result === undefined || result === null) return undefined
  const parts = ownParts(partsOf(result), nameOf(call['id']))
  return outputOf(parts, status === 'error' || status === 'cancelled')
}

/**
 * What stands in a record for this call: a resumed session has the responses to all calls of a
 * step under each of them, and what a tool gave besides behind its response.
 */
function ownParts(parts: readonly Fields[], id: string | undefined): readonly Fields[] {
  const ids = parts.map((part) => nameOf(fieldsOf(part['functionResponse'])?.['id']))
  const start = id === undefined ? -1 : ids.indexOf(id)
  if (start < 0) return parts
  const end = parts.findIndex((part, index) => index > start && 'functionResponse' in part)
  return parts.slice(start, end < 0 ? undefined : end)
}

/** The content of a response to a call, with the media next to it. */
export function outputOf(parts: readonly Fields[], failed: boolean): ToolOutput {
  const responses = objectsOf(parts.map((part) => part['functionResponse']))
  const [response] = responses
  const media = [...parts, ...responses.flatMap(({ parts: inner }) => partsOf(inner))]
  const files = media.flatMap(filePart)
  const text = response ? undefined : parts.map((part) => textOf(part['text']) ?? '').join('\n')
  const output = responseOutput(response?.['response'] ?? { output: text ?? '' }, failed)
  if (files.length === 0) return output
  const said = 'value' in output ? output.value : ''
  const first = { type: 'text', text: typeof said === 'string' ? said : JSON.stringify(said) }
  const error = output.type.startsWith('error') && { gemini: { failed: true } }
  return { type: 'content', value: [first, ...files], ...(error && { providerOptions: error }) }
}

function responseOutput(value: unknown, failed: boolean): ToolOutput {
  const response = fieldsOf(value)
  const error = textOf(response?.['error'])
  if (error !== undefined) return { type: 'error-text', value: error }
  const output = textOf(response?.['output'])
  if (output !== undefined) return { type: failed ? 'error-text' : 'text', value: output }
  return { type: failed ? 'error-json' : 'json', value: boundedValue(value) }
}

function filePart(part: Fields): ToolOutputPart[] {
  const found = inlineData(part)
  if (!found) return []
  const { mediaType, data } = found
  return [{ type: 'file', mediaType, data: { type: 'data', data } }]
}
