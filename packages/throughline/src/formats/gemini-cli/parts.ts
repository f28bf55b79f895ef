import { fieldsOf, nameOf, textOf, type Fields } from '../../json/fields.ts'

/** The parts of a content, which is a text, one part, or a list of both. */
export function partsOf(content: unknown): Fields[] {
  const items: readonly unknown[] = Array.isArray(content) ? content : [content]
  return items.flatMap((item): Fields[] => {
    if (typeof item === 'string') return item === '' ? [] : [{ text: item }]
    const part = fieldsOf(item)
    return part ? [part] : []
  })
}

/** All that a content says in words. */
export function contentText(content: unknown): string {
  return partsOf(content)
    .map((part) => textOf(part['text']) ?? '')
    .join('')
}

/** Data that stands in the session itself. */
export function inlineData(part: Fields): { mediaType: string; data: string } | undefined {
  const inline = fieldsOf(part['inlineData'])
  const data = nameOf(inline?.['data'])
  return data ? { mediaType: nameOf(inline?.['mimeType']) ?? 'image', data } : undefined
}
