import { fieldsOf, listOf, textOf } from '../json/fields.ts'

/** What parts of text say together. */
export function partsText(parts: unknown): string {
  return listOf(parts)
    .map((part) => textOf(fieldsOf(part)?.['text']) ?? '')
    .join('\n\n')
}
