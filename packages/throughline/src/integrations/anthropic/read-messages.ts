import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { listOf, textOf, type Fields } from '../../json/fields.ts'
import { MessageConversionError } from '../shapes/errors.ts'
import { plainFields } from '../shapes/plain.ts'
import { countNatives, type Pair } from '../shapes/shape.ts'
import { restOf } from '../shapes/note.ts'
import { toolNames, type ToolNames } from '../shapes/tool-names.ts'
import { assistantPart, blocksText, toolResult, userPart } from './read-parts.ts'
import { notes } from './notes.ts'
import type { Message, ToolResultPart, UserPart } from '../../log/message.ts'
import type { AnthropicMessage } from './types.ts'

/** Messages of the Messages API, each with what it is to us. */
export function readMessages<M extends AnthropicMessage>(
  natives: readonly M[],
  before: readonly Pair<M>[] = [],
): Pair<M>[] {
  const names = toolNames(before)
  const first = countNatives(before)
  return natives.map((native, index) => {
    const place = `messages[${first + index}]`
    return { natives: [native], messages: messagesOf(plainFields(native, place), names, place) }
  })
}

function messagesOf(native: Fields, names: ToolNames, place: string): Message[] {
  const { role, content } = native
  const rest = restOf(native, ['role', 'content'])
  if (role === 'system') return [systemMessage(content, rest)]
  if (typeof content !== 'string' && !Array.isArray(content)) {
    const problem = 'the content is neither a text nor a list of blocks'
    throw new MessageConversionError({ place, problem })
  }
  if (role !== 'user' && role !== 'assistant') {
    const problem = `the role ${JSON.stringify(role)} is unknown`
    throw new MessageConversionError({ place, problem })
  }
  if (typeof content === 'string') return [{ role, content, ...notes.with({ rest }) }]
  const blocks = blocksIn(content, place)
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
 * The provider's own compaction stands for all that came before it: it is said again with every
 * request, as a system prompt is.
 */
function assistantMessages(
  blocks: readonly Fields[],
  names: ToolNames,
  rest: Fields | undefined,
): Message[] {
  const [first] = blocks
  if (first?.['type'] !== 'compaction') {
    const content = blocks.map((block) => assistantPart(block, names))
    return [{ role: 'assistant', content, ...notes.with({ rest }) }]
  }
  const text = textOf(first['content']) ?? ''
  const behind = blocks.slice(1).map((block) => assistantPart(block, names))
  return [
    { role: 'system', content: text, ...notes.with({ rest, block: first }) },
    ...(behind.length === 0
      ? []
      : [{ role: 'assistant' as const, content: behind, ...notes.with({ joins: true }) }]),
  ]
}

function blocksIn(content: unknown, place: string): Fields[] {
  return listOf(content).map((block, index) => plainFields(block, `${place}.content[${index}]`))
}

/** The results of tools stand in the user's place: they are a message of their own to us. */
function userMessages(
  blocks: readonly Fields[],
  names: ToolNames,
  rest: Fields | undefined,
): Message[] {
  const noted = notes.with({ rest })
  const results: ToolResultPart[] = []
  const parts: UserPart[] = []
  /** Where the parts stand among the blocks. */
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

/** A summary of ours is a message of its own, though it may have been joined with the next. */
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
