import { countOf, fieldsOf, nameOf } from '../../json/fields.ts'
import type { Seq } from '../../log/entry.ts'

/** The first line of an exported session. */
export interface Header {
  id: string | undefined
  /** How many entries follow. */
  entries: Seq
}

// Richer formats get a higher number, and older readers leave them alone.
const version = 1

export function headerLine(id: string, entries: Seq): string {
  return JSON.stringify({ throughline: 'session', version, id, entries })
}

export function headerIn(record: unknown): Header | undefined {
  const fields = fieldsOf(record)
  if (fields?.['throughline'] !== 'session' || fields['version'] !== version) return undefined
  return { id: nameOf(fields['id']), entries: countOf(fields['entries']) ?? 0 }
}
