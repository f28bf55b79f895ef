import { fieldsOf, listOf, type Fields } from '../../json/fields.ts'
import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { messageText } from '../../log/message-text.ts'
import { partsOf, type Message, type SystemMessage } from '../../log/message.ts'
import { blocksText } from './read-blocks.ts'
import { blocksOf as blocksOfPart } from './write-blocks.ts'
import { notes, type AnthropicMessage } from './message.ts'
import type { Pair } from '../wire.ts'
import type { Writing } from '../writing.ts'

/**
 * Our messages as the Messages API accepts them; parts that came as one message are sent as one.
 */
export function writeMessages(
  messages: readonly Message[],
  writing: Writing,
): Pair<AnthropicMessage>[] {
  const pairs: Pair<AnthropicMessage>[] = []
  for (let index = 0; index < messages.length;) {
    const message = messages[index] as Message
    const next = messages[index + 1]
    const joined = next && joins(message, next) ? [next] : []
    const native = nativeOf(message, joined[0], { place: `messages[${index}]`, writing })
    // What is made here has the fields of whatever type the caller has for messages of this API.
    pairs.push({ natives: [native as unknown as AnthropicMessage], messages: [message, ...joined] })
    index += 1 + joined.length
  }
  return pairs
}

/** Whether both came as one message. */
function joins(message: Message, next: Message): boolean {
  if (notes.of(next)['joins'] !== true) return false
  return next.role === 'user'
    ? message.role === 'tool' || (message.role === 'user' && isSummaryBlock(messageText(message)))
    : next.role === 'assistant' && compactionOf(message) !== undefined
}

/** The provider's own compaction, which is in the assistant's place. */
function compactionOf(message: Message): Fields | undefined {
  return message.role === 'system' ? fieldsOf(notes.of(message)['block']) : undefined
}

/** Where a message stands, and how it is written. */
interface At {
  place: string
  writing: Writing
}

function nativeOf(message: Message, joined: Message | undefined, at: At): Fields {
  const rest = fieldsOf(notes.of(message)['rest'])
  const compaction = compactionOf(message)
  if (compaction) {
    const behind = joined ? blocksOf(joined, at) : []
    const before = listOf(notes.of(message)['before'])
    return { role: 'assistant', content: [...before, compaction, ...behind], ...rest }
  }
  const role = message.role === 'tool' ? 'user' : message.role
  const content = contentOf(message, joined, at)
  return { role, ...(content !== undefined && { content }), ...rest }
}

function contentOf(message: Message, joined: Message | undefined, at: At): unknown {
  if (message.role === 'system') return systemContent(message)
  if (typeof message.content === 'string') return message.content
  const own = blocksOf(message, at)
  return joined ? together(own, blocksOf(joined, at), joined) : own
}

function systemContent(message: SystemMessage): unknown {
  const { blocks } = notes.of(message)
  if (blocks === undefined || blocksText(listOf(blocks)) !== message.content) return message.content
  return blocks ?? undefined
}

function blocksOf(message: Message, { place, writing }: At): Fields[] {
  return partsOf(message).flatMap((part, index) =>
    blocksOfPart(part, `${place}.content[${index}]`, writing),
  )
}

/** The blocks of two messages in their original order, as far as none is missing. */
function together(results: Fields[], others: Fields[], joined: Message): Fields[] {
  const places = listOf(notes.of(joined)['places'])
  if (places.length !== others.length) return [...results, ...others]
  const all = [...results]
  others.forEach((block, index) => all.splice(Number(places[index]), 0, block))
  return all
}
