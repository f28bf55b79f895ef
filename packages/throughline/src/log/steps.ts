import { abortedResults, openCalls } from './open-calls.ts'
import type { ContextItem, ContinuationItem, MessageItem } from './context/context-item.ts'
import type { Seq } from './entry.ts'
import type { ToolCallPart, ToolResultPart, UserMessage } from './message.ts'
import type { ModelOrder } from './order.ts'

/** The units of a context, which a cut never divides. */
export type Unit = HumanUnit | StepUnit | AsideUnit

/** A human message, or the continuation that repeats it: the start of a turn. */
export interface HumanUnit {
  type: 'human'
  item: MessageItem | ContinuationItem
  items: readonly ContextItem[]
  /** The entry of the message, even if a continuation repeats it. */
  seq: Seq
  message: UserMessage
}

/** One assistant message with the results of its calls. */
export interface StepUnit {
  type: 'step'
  /**
   * `pending` if a call of the newest step awaits its approval or result. `aborted` if the agent
   * continued without one; the model then reads that the call was aborted.
   */
  status: 'closed' | 'pending' | 'aborted'
  item: MessageItem
  items: readonly ContextItem[]
  calls: readonly ToolCallPart[]
  results: readonly ToolResultPart[]
}

/** What neither the human nor the model said: a reminder, an omission, an earlier summary. */
export interface AsideUnit {
  type: 'aside'
  item: ContextItem
  items: readonly ContextItem[]
}

/** Divides a context into its human messages, steps and asides, in the model's order. */
export function unitsOf(items: ModelOrder): Unit[] {
  const units: Unit[] = []
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as ContextItem
    if (item.type === 'message' && item.message.role === 'assistant') {
      const from = index
      while (isToolMessage(items[index + 1])) index += 1
      const step = items.slice(from, index + 1) as MessageItem[]
      units.push(stepOf(item, step, index === items.length - 1))
    } else if (item.type === 'message' && item.message.role === 'user' && item.origin === 'human') {
      units.push({ type: 'human', item, items: [item], seq: item.seq, message: item.message })
    } else if (item.type === 'continuation' && item.continuation.of !== undefined) {
      const { of: seq, message } = item.continuation
      units.push({ type: 'human', item, items: [item], seq, message })
    } else {
      units.push({ type: 'aside', item, items: [item] })
    }
  }
  return units
}

function isToolMessage(item: ContextItem | undefined): boolean {
  return item?.type === 'message' && item.message.role === 'tool'
}

function stepOf(item: MessageItem, items: MessageItem[], newest: boolean): StepUnit {
  let calls: ToolCallPart[] = none
  let results: ToolResultPart[] = none
  // Almost every step is a text, or one call followed by its result: no need to look twice.
  let isPlain = true
  for (const { message } of items) {
    const { content } = message
    if (typeof content === 'string') continue
    for (const part of content) {
      if (part.type === 'tool-call') {
        calls = withOne(calls, part)
        isPlain &&= results.length === 0
      } else if (part.type === 'tool-result') results = withOne(results, part)
      else if (part.type.startsWith('tool-')) isPlain = false
    }
  }
  const [call] = calls
  const [result] = results
  const isClosed =
    isPlain &&
    calls.length < 2 &&
    (call === undefined || (result !== undefined && result.toolCallId === call.toolCallId))
  const status = isClosed ? 'closed' : statusOf(items, newest)
  return { type: 'step', status, item, items, calls, results }
}

const none: never[] = []

/** The list with one more: almost every list has only one, and takes no more room than that. */
function withOne<Part>(parts: Part[], part: Part): Part[] {
  if (parts.length === 0) return [part]
  parts.push(part)
  return parts
}

function statusOf(items: readonly MessageItem[], newest: boolean): StepUnit['status'] {
  const step = items.map(({ message }) => message)
  if (newest && openCalls(step).length > 0) return 'pending'
  return !newest && abortedResults(step) ? 'aborted' : 'closed'
}
