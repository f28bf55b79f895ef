import { fieldsOf, type Fields } from './json.ts'

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
