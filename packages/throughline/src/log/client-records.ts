import { fieldsOf, listOf, nameOf } from '../json/fields.ts'

/** The ids of the client's records that an entry was read from. */
export function recordsOf(entry: object): string[] {
  const metadata = fieldsOf('metadata' in entry ? entry.metadata : undefined)
  return listOf(fieldsOf(metadata?.['source'])?.['records']).flatMap((one) => nameOf(one) ?? [])
}

/** The first of them: by it an entry is known. */
export function recordOf(entry: object): string | undefined {
  return recordsOf(entry)[0]
}
