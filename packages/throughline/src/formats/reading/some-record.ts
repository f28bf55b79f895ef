import { fieldsOf, type Fields } from '../../json/fields.ts'

/** Recognises a format by any one of the first records. */
export function someRecord(
  isOwn: (record: Fields) => boolean,
): (records: readonly unknown[]) => boolean {
  return (records) =>
    records.some((value) => {
      const record = fieldsOf(value)
      return record !== undefined && isOwn(record)
    })
}
