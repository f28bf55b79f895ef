import type { BodySpans, Span } from './spans.ts'
import { fieldsOf, type Fields } from './json.ts'

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

const mark = 'cache_control'

/**
 * A message without the client's marks of the cache: on itself, its blocks, and theirs. A client moves
 * its marks on and takes the old ones away, which it cannot do in what was made of its messages, and
 * an API takes only four.
 */
export function withoutCacheMarks<Message extends object>(message: Message): Message {
  return unmarked(message, depth) as Message
}

// A message, its blocks, and those of a result: below stands what a tool was given.
const depth = 3

function unmarked(value: unknown, levels: number): unknown {
  const fields = fieldsOf(value)
  if (!fields || levels === 0) return value
  const { content } = fields
  const blocks = Array.isArray(content)
    ? content.map((block: unknown) => unmarked(block, levels - 1))
    : undefined
  const isSame = !blocks || blocks.every((block, index) => block === (content as unknown[])[index])
  if (isSame && !(mark in fields)) return value
  const { [mark]: _, ...rest }: Fields = fields
  return isSame ? rest : { ...rest, content: blocks }
}
