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
      const results: MessageItem[] = []
      for (let next = items[index + 1]; isToolMessage(next); next = items[index + 1]) {
        results.push(next)
        index += 1
      }
      units.push(stepOf(item, results, index === items.length - 1))
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

function isToolMessage(item: ContextItem | undefined): item is MessageItem {
  return item?.type === 'message' && item.message.role === 'tool'
}

function stepOf(item: MessageItem, resultItems: MessageItem[], newest: boolean): StepUnit {
  const items = resultItems.length === 0 ? [item] : [item, ...resultItems]
  const calls: ToolCallPart[] = []
  const results: ToolResultPart[] = []
  // Almost every step is a text, or one call and its result behind it: no need to look twice.
  let isPlain = true
  for (const { message } of items) {
    const { content } = message
    if (typeof content === 'string') continue
    for (const part of content) {
      if (part.type === 'tool-call') {
        calls.push(part)
        isPlain &&= results.length === 0
      } else if (part.type === 'tool-result') results.push(part)
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

function statusOf(items: readonly MessageItem[], newest: boolean): StepUnit['status'] {
  const step = items.map(({ message }) => message)
  if (newest && openCalls(step).length > 0) return 'pending'
  return !newest && abortedResults(step) ? 'aborted' : 'closed'
}
