import { fieldsOf, type Fields } from './fields.ts'

/**
 * The request or the response in a record of a log: the record itself, what stands under one
 * of these names, or the body of that.
 */
export function bodyOf(
  record: Fields,
  names: readonly string[],
  isBody: (body: Fields) => boolean,
): Fields | undefined {
  if (isBody(record)) return record
  for (const name of names) {
    const inner = fieldsOf(record[name])
    if (inner && isBody(inner)) return inner
    const body = fieldsOf(inner?.['body'])
    if (body && isBody(body)) return body
  }
  return undefined
}
