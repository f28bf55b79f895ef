import { valueAt, type BodySpans, type Span } from './spans.ts'
import { fieldsOf, type Fields } from './json.ts'

/** An element of a conversation: its bytes, and what JSON says they are. */
export interface Element {
  span: Span
  bytes: Buffer
  value: Fields
}

/**
 * The elements of a body. Those with which `last` begins as well are the same objects as there, and
 * are not parsed again. `undefined` if one is no object.
 */
export function elementsOf(
  body: Buffer,
  { elements }: BodySpans,
  last: readonly Element[] = [],
): Element[] | undefined {
  const found: Element[] = []
  let isSame = true
  for (const [index, span] of elements.entries()) {
    const bytes = body.subarray(span.start, span.end)
    const before: Element | undefined = isSame ? last[index] : undefined
    isSame = before?.bytes.equals(bytes) === true
    const value = isSame ? before?.value : fieldsOf(valueAt(body, span))
    if (!value) return undefined
    found.push({ span, bytes, value })
  }
  return found
}
