import { withoutCacheMarks } from './cache-marks.ts'
import type { BodySpans, Span } from './spans.ts'

/** The bytes of a new element. */
export interface Made {
  made: Buffer
  /** The same with the client’s marks of the cache: they stand where it is the newest. */
  marked?: Buffer
}

/** An element of the new list: the client's own bytes where they are unchanged, else new ones. */
export type ListItem = { own: Span } | Made

/** The bytes of a new element. */
export function madeOf(value: object): Made {
  const plain = withoutCacheMarks(value)
  const made = Buffer.from(JSON.stringify(plain))
  return plain === value ? { made } : { made, marked: Buffer.from(JSON.stringify(value)) }
}

/**
 * A body with another list of messages. Everything around the list, and every element that is kept,
 * stays the client's own bytes.
 * @throws TypeError if the body has no such list.
 */
export function splicedBody(
  bytes: Buffer,
  { fields }: BodySpans,
  list: string,
  elements: readonly ListItem[],
): Buffer {
  const held = fields.get(list)
  if (!held) throw new TypeError(`The body has no field ${list}.`)
  const pieces: Buffer[] = [bytes.subarray(0, held.start + 1)]
  for (let index = 0; index < elements.length; index++) {
    if (index > 0) pieces.push(comma)
    const element = elements[index] as ListItem
    if ('made' in element) {
      const isNewest = index === elements.length - 1
      pieces.push((isNewest && element.marked) || element.made)
      continue
    }
    const { start } = element.own
    let { end } = element.own
    // What stands one byte apart, which is a comma, is one piece.
    for (; ; index++) {
      const next = elements[index + 1]
      if (!next || 'made' in next || next.own.start !== end + 1) break
      end = next.own.end
    }
    pieces.push(bytes.subarray(start, end))
  }
  pieces.push(bytes.subarray(held.end - 1))
  return Buffer.concat(pieces)
}

const comma = Buffer.from(',')
