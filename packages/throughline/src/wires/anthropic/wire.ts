import { oneByOne, wireOf, type Wire } from '../wire.ts'
import { toolNames, type ToolNames } from '../tool-names.ts'
import { notes, type AnthropicMessage } from './message.ts'
import { countOf, fieldsOf, listOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { fieldsIn, type Reading, type Writing } from '../reading.ts'
import { joinsUser, readUserParts, together, writeJoined } from '../joined.ts'
import { usageFrom } from '../usage.ts'
import { partsOf, type Message, type SystemMessage } from '../../log/message.ts'
import { assistantPart, toolResult, userPart } from './read-blocks.ts'
import { blocksOf as blocksOfPart } from './write-blocks.ts'
import { partsText } from '../text-pieces.ts'
import { restOf } from '../note.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** The API's usage with all input in one number; `undefined` if nothing was counted. */
export function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const uncached = countOf(usage?.['input_tokens']) ?? 0
  const read = countOf(usage?.['cache_read_input_tokens'])
  const written = countOf(usage?.['cache_creation_input_tokens'])
  return usageFrom({
    input: uncached + (read ?? 0) + (written ?? 0),
    output: usage?.['output_tokens'],
    cacheRead: read,
    cacheWrite: written,
  })
}

/** What the API cleared of a request by itself, in tokens: `clear_tool_uses` and `clear_thinking`. */
export function clearedTokensOf(contextManagement: unknown): number {
  return objectsOf(fieldsOf(contextManagement)?.['applied_edits']).reduce(
    (sum, edit) => sum + (countOf(edit['cleared_input_tokens']) ?? 0),
    0,
  )
}

/** What the API's own compactions took while it answered: the usage of the answer is without them. */
export function compactionUsageOf(value: unknown): Usage[] {
  return objectsOf(fieldsOf(value)?.['iterations']).flatMap((iteration) =>
    iteration['type'] === 'compaction' ? (usageOf(iteration) ?? []) : [],
  )
}

const finishes: ReadonlyMap<unknown, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
  ['pause_turn', 'other'],
])

export function finishOf(stopReason: unknown): FinishReason | undefined {
  return finishes.get(stopReason)
}

/** The provider's own compaction, which is in the assistant's place. */
function compactionOf(message: Message): Fields | undefined {
  return message.role === 'system' ? fieldsOf(notes.of(message)['block']) : undefined
}

/** The place of a message, and how it is written. */
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
  return joined ? together(own, blocksOf(joined, at), notes.of(joined)) : own
}

function systemContent(message: SystemMessage): unknown {
  const { blocks } = notes.of(message)
  if (blocks === undefined || partsText(blocks) !== message.content) return message.content
  return blocks ?? undefined
}

function blocksOf(message: Message, { place, writing }: At): Fields[] {
  return partsOf(message).flatMap((part, index) =>
    blocksOfPart(part, `${place}.content[${index}]`, writing),
  )
}

export const anthropicWire: Wire<AnthropicMessage> = wireOf({
  reader(reading, before) {
    const names = toolNames(before)
    return oneByOne('messages', before, (native, place) =>
      readMessage(native, { names, reading }, place),
    )
  },
  write: (messages, writing) =>
    writeJoined(messages, { notes, joins }, (message, joined, index) => {
      const native = nativeOf(message, joined, { place: `messages[${index}]`, writing })
      // What is made here has the fields of whatever type the caller has for messages of this API.
      return native as unknown as AnthropicMessage
    }),
})

/** Whether both may have come as one message. */
function joins(message: Message, next: Message): boolean {
  return next.role === 'assistant' ? compactionOf(message) !== undefined : joinsUser(message, next)
}

/** What a message is read with. */
interface With {
  names: ToolNames
  reading: Reading
}

/** Converts a message of the Messages API to ours; nothing if it isn't a message. */
function readMessage(value: unknown, { names, reading }: With, place: string): Message[] {
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
  const blocks = fieldsIn(content, `${place}.content`, reading)
  return role === 'user'
    ? readUserParts(
        blocks,
        { result: (block) => toolResult(block, names), other: userPart, notes },
        { rest },
      )
    : assistantMessages(blocks, names, rest)
}

function systemMessage(content: unknown, rest: Fields | undefined): Message {
  if (typeof content === 'string') return { role: 'system', content, ...notes.with({ rest }) }
  const text = partsText(content)
  return { role: 'system', content: text, ...notes.with({ rest, blocks: content ?? null }) }
}

/**
 * The provider's own compaction replaces everything before it, even in the same message. Like a
 * system prompt, it is sent again with every request.
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
