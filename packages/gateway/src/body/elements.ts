import { Turns } from './turns.ts'
import { valueAt, type Span } from './spans.ts'
import { fieldsOf, type Fields } from './json.ts'
import type { ReadBody } from './recent-bodies.ts'

/** An element of a conversation: where it stands, and what JSON says it is. */
export interface Element {
  span: Span
  value: Fields
}

export interface BodyElements {
  body: Buffer
  number: number
  elements: readonly Element[]
}

/**
 * The elements of a body. Those with which `last` begins as well are the same objects as there, and
 * are not parsed again. `undefined` if one is no object.
 */
export async function elementsOf(
  body: Buffer,
  { elements, number, like }: ReadBody,
  last?: BodyElements,
): Promise<BodyElements | undefined> {
  const turns = new Turns()
  // Compared already, each byte of them.
  const known = last && like?.number === last.number ? like.elements : 0
  const found: Element[] = last?.elements.slice(0, known) ?? []
  let isSame = last !== undefined
  for (let index = known; index < elements.length; index++) {
    const span = elements[index] as Span
    const before: Element | undefined = isSame ? last?.elements[index] : undefined
    isSame = before !== undefined && areSameBytes(body, span, last?.body as Buffer, before.span)
    const value = isSame ? before?.value : fieldsOf(valueAt(body, span))
    if (!value) return undefined
    if (turns.isOver(span.end - span.start)) await turns.next()
    found.push({ span, value })
  }
  return { body, number, elements: found }
}

function areSameBytes(body: Buffer, one: Span, other: Buffer, { start, end }: Span): boolean {
  return body.compare(other, start, end, one.start, one.end) === 0
}
