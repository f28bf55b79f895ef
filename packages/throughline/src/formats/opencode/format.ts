import { fieldsOf } from '../../json/fields.ts'
import { opencodeReader } from './reader.ts'
import type { Format } from '../format.ts'

/** What `opencode export` prints: one JSON document, or the list of its messages. */
export const opencode: Format = {
  name: 'opencode',
  place: 'what `opencode export <session>` prints',
  recognises: (records) => records.some((record) => isSession(record) || isMessage(record)),
  reader: opencodeReader,
}

function isSession(value: unknown): boolean {
  const record = fieldsOf(value)
  const id = fieldsOf(record?.['info'])?.['id']
  return typeof id === 'string' && id.startsWith('ses_') && Array.isArray(record?.['messages'])
}

function isMessage(value: unknown): boolean {
  const record = fieldsOf(value)
  const info = fieldsOf(record?.['info'])
  const role = info?.['role']
  const known = role === 'user' || role === 'assistant'
  return known && typeof info?.['sessionID'] === 'string' && Array.isArray(record?.['parts'])
}
