import { fieldsOf, listOf, type Fields } from '../../json/fields.ts'
import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { messageText } from '../../log/message-text.ts'
import { partsOf, type Message, type SystemMessage } from '../../log/message.ts'
import { blocksText } from './read-parts.ts'
import { blockOf } from './write-blocks.ts'
import { notes } from './notes.ts'
import type { Pair } from '../shapes/shape.ts'
import type { AnthropicMessage } from './types.ts'

/** Our messages as the Messages API takes them; what came as one message goes as one. */
export function writeMessages<M extends AnthropicMessage>(messages: readonly Message[]): Pair<M>[] {
  const pairs: Pair<M>[] = []
  for (let index = 0; index < messages.length;) {
    const message = messages[index] as Message
    const next = messages[index + 1]
    const joined = next && joins(message, next) ? [next] : []
    const native = nativeOf(message, joined[0], `messages[${index}]`)
    // What is made here has the fields of whatever type the caller has for messages of this API.
    pairs.push({ natives: [native as unknown as M], messages: [message, ...joined] })
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

/** The provider's own compaction, which stands in the assistant's place. */
function compactionOf(message: Message): Fields | undefined {
  return message.role === 'system' ? fieldsOf(notes.of(message)['block']) : undefined
}

function nativeOf(message: Message, joined: Message | undefined, place: string): Fields {
  const rest = fieldsOf(notes.of(message)['rest'])
  const compaction = compactionOf(message)
  if (compaction) {
    const behind = joined ? blocksOf(joined, place) : []
    return { role: 'assistant', content: [compaction, ...behind], ...rest }
  }
  const role = message.role === 'tool' ? 'user' : message.role
  const content = contentOf(message, joined, place)
  return { role, ...(content !== undefined && { content }), ...rest }
}

function contentOf(message: Message, joined: Message | undefined, place: string): unknown {
  if (message.role === 'system') return systemContent(message)
  if (typeof message.content === 'string') return message.content
  const own = blocksOf(message, place)
  return joined ? together(own, blocksOf(joined, place), joined) : own
}

function systemContent(message: SystemMessage): unknown {
  const { blocks } = notes.of(message)
  if (blocks === undefined || blocksText(listOf(blocks)) !== message.content) return message.content
  return blocks ?? undefined
}

function blocksOf(message: Message, place: string): Fields[] {
  return partsOf(message).map((part, index) => blockOf(part, `${place}.content[${index}]`))
}

/** The blocks of two messages in the order in which they came, as far as none is gone. */
function together(results: Fields[], others: Fields[], joined: Message): Fields[] {
  const places = listOf(notes.of(joined)['places'])
  if (places.length !== others.length) return [...results, ...others]
  const all = [...results]
  others.forEach((block, index) => all.splice(Number(places[index]), 0, block))
  return all
}
