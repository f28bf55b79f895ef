import { fieldsOf } from '../../json/fields.ts'
import { headerIn } from './header.ts'
import { entryIn } from './read-entry.ts'
import { throughlineReader } from './reader.ts'
import type { Format } from '../format.ts'

/** Throughline's own format: what {@link exportSession} writes. */
export const throughline: Format = {
  name: 'throughline',
  place: 'what throughline export wrote',
  recognises: (records) => records.some((record) => headerIn(record) || isOwnEntry(record)),
  reader: throughlineReader,
}

/** Also where the first line is lost. */
function isOwnEntry(record: unknown): boolean {
  const fields = fieldsOf(record)
  return fields !== undefined && entryIn(fields)?.draft !== undefined
}
