import { blocksOf } from '../../wires/anthropic/alternate.ts'
import { fieldsOf, listOf, type Fields } from '../../json/fields.ts'
import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { messageText } from '../../log/message.ts'
import type { Pair } from '../../wires/wire.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'

/** The API's limit per request. */
export const mostBreakpoints = 4

/** The `cache_control` marks in a value, in order, at any depth. */
export function breakpointsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(breakpointsIn)
  const fields = fieldsOf(value)
  if (!fields) return []
  // The input of a tool call isn't searched.
  const { cache_control: mark, input: _, input_schema: __, ...others } = fields
  return [...Object.values(others).flatMap(breakpointsIn), ...(fieldsOf(mark) ? [mark] : [])]
}

/**
 * Puts the breakpoints that a compaction removed where a prefix is stable again: first at the end
 * of the summary, then at the end of everything. If there are more than the request may have next
 * to the `elsewhere` ones in system and tools, the oldest are dropped.
 */
export function settleBreakpoints<M extends AnthropicMessage>(
  sent: readonly Pair<M>[],
  came: readonly M[],
  elsewhere: number,
): Pair<M>[] {
  const room = Math.max(0, mostBreakpoints - elsewhere)
  const marks = sent.flatMap(({ natives }) => breakpointsIn(natives))
  if (marks.length > room) return withoutOldest(sent, marks.length - room)
  const sentNatives = new Set(sent.flatMap(({ natives }) => natives))
  const gone = came.filter((native) => !sentNatives.has(native)).flatMap(breakpointsIn)
  let free = Math.min(gone.length, breakpointsIn(came).length - marks.length, room - marks.length)
  const settled = [...sent]
  for (const index of [sent.findLastIndex(isSummary), sent.length - 1]) {
    const marked = free > 0 ? markedAtEnd(settled[index], gone.at(-1)) : undefined
    if (!marked) continue
    settled[index] = marked
    free -= 1
  }
  return settled
}

export function isSummary({ messages: [message] }: Pair<unknown>): boolean {
  return message?.role === 'user' && isSummaryBlock(messageText(message))
}

const markable: ReadonlySet<unknown> = new Set([
  'text',
  'image',
  'document',
  'tool_use',
  'tool_result',
])

export function markedAtEnd<M extends AnthropicMessage>(
  pair: Pair<M> | undefined,
  mark: unknown,
): Pair<M> | undefined {
  const native = pair?.natives.at(-1)
  if (!pair || !native || breakpointsIn(native).length > 0) return undefined
  const blocks = blocksOf(native) as readonly object[] as readonly Fields[]
  const last = blocks.at(-1)
  if (!last || !markable.has(last['type']) || last['text'] === '') return undefined
  const content = [...blocks.slice(0, -1), { ...last, cache_control: mark }]
  return { messages: pair.messages, natives: [{ ...native, content }] }
}

function withoutOldest<M extends AnthropicMessage>(
  sent: readonly Pair<M>[],
  count: number,
): Pair<M>[] {
  let left = count
  return sent.map((pair) => {
    const has = breakpointsIn(pair.natives).length
    if (left === 0 || has === 0) return pair
    left = Math.max(0, left - has)
    return { messages: pair.messages, natives: pair.natives.map((native) => unmarked(native)) }
  })
}

function unmarked<Value>(value: Value): Value {
  if (Array.isArray(value)) return listOf(value).map(unmarked) as Value
  const fields = fieldsOf(value)
  if (!fields || breakpointsIn(fields).length === 0) return value
  const { cache_control: _, ...others } = fields
  const entries = Object.entries(others).map(([key, field]) => [
    key,
    key === 'input' ? field : unmarked(field),
  ])
  return Object.fromEntries(entries) as Value
}
