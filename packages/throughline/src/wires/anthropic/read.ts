import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { listOf, textOf, type Fields } from '../../json/fields.ts'
import { restOf } from '../note.ts'
import { assistantPart, blocksText, toolResult, userPart } from './read-blocks.ts'
import { notes } from './message.ts'
import type { Message, ToolResultPart, UserPart } from '../../log/message.ts'
import type { Reading } from '../reading.ts'
import type { ToolNames } from '../tool-names.ts'

/** What a message is read with. */
interface With {
  names: ToolNames
  reading: Reading
}

/** A message of the Messages API as ours: none where it is no message. */
export function readMessage(value: unknown, { names, reading }: With, place: string): Message[] {
  const native = reading.fields(value, place)
  if (!native) return []
  const { role, content } = native
  const rest = restOf(native, ['role', 'content'])
  if (role === 'system') return [systemMessage(content, rest)]
  if (role !== 'user' && role !== 'assistant') {
    const problem = `the role ${JSON.stringify(role)} is unknown`
    reading.misfit({ place, problem, reason: 'unknown-record' })
    return []
  }
  if (typeof content === 'string') return [{ role, content, ...notes.with({ rest }) }]
  if (!Array.isArray(content)) {
    const problem = 'the content is neither a text nor a list of blocks'
    reading.misfit({ place, problem, reason: 'empty' })
    return []
  }
  const blocks = listOf(content).flatMap((block, index): Fields[] => {
    const fields = reading.fields(block, `${place}.content[${index}]`)
    return fields ? [fields] : []
  })
  return role === 'user'
    ? userMessages(blocks, names, rest)
    : assistantMessages(blocks, names, rest)
}

function systemMessage(content: unknown, rest: Fields | undefined): Message {
  if (typeof content === 'string') return { role: 'system', content, ...notes.with({ rest }) }
  const text = blocksText(listOf(content))
  return { role: 'system', content: text, ...notes.with({ rest, blocks: content ?? null }) }
}

/**
 * The provider's own compaction stands for all that came before it, in its own message too: it is
 * said again with every request, as a system prompt is.
 */
function assistantMessages(
  blocks: readonly Fields[],
  names: ToolNames,
  rest: Fields | undefined,
): Message[] {
  const index = blocks.findLastIndex(({ type }) => type === 'compaction')
  const block = blocks[index]
  if (!block) {
    const content = blocks.map((block) => assistantPart(block, names))
    return [{ role: 'assistant', content, ...notes.with({ rest }) }]
  }
  const noted = notes.with({ rest, block, ...(index > 0 && { before: blocks.slice(0, index) }) })
  const behind = blocks.slice(index + 1).map((block) => assistantPart(block, names))
  return [
    { role: 'system', content: textOf(block['content']) ?? '', ...noted },
    ...(behind.length === 0
      ? []
      : [{ role: 'assistant' as const, content: behind, ...notes.with({ joins: true }) }]),
  ]
}

/** Tool results are in the user's message; to us, they are a separate message. */
function userMessages(
  blocks: readonly Fields[],
  names: ToolNames,
  rest: Fields | undefined,
): Message[] {
  const noted = notes.with({ rest })
  const results: ToolResultPart[] = []
  const parts: UserPart[] = []
  /** The positions of the parts among the blocks. */
  const places: number[] = []
  blocks.forEach((block, index) => {
    const result = toolResult(block, names)
    if (result) results.push(result)
    else {
      places.push(index)
      parts.push(userPart(block))
    }
  })
  if (results.length === 0) return withoutSummary(parts, rest)
  const tool: Message = { role: 'tool', content: results, ...noted }
  if (parts.length === 0) return [tool]
  const isBehind = places.every((place) => place >= results.length)
  const joined = notes.with({ joins: true, ...(!isBehind && { places }) })
  return [tool, { role: 'user', content: parts, ...joined }]
}

/** One of our summaries is a separate message, even if it was merged with the next one. */
function withoutSummary(parts: UserPart[], rest: Fields | undefined): Message[] {
  const noted = notes.with({ rest })
  const [first] = parts
  if (parts.length < 2 || first?.type !== 'text' || !isSummaryBlock(first.text)) {
    return [{ role: 'user', content: parts, ...noted }]
  }
  return [
    { role: 'user', content: [first], ...noted },
    { role: 'user', content: parts.slice(1), ...notes.with({ joins: true }) },
  ]
}
