import { objectsOf, textOf } from '../../json/fields.ts'

/** What the texts of an answer say. */
export function textIn(content: readonly unknown[]): string {
  return objectsOf(content)
    .flatMap((block) => (block['type'] === 'text' ? [textOf(block['text']) ?? ''] : []))
    .join('')
}
