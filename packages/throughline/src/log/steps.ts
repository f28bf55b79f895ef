import type { ContextItem, ContinuationItem, MessageItem } from './context-item.ts'
import type { Seq } from './entry.ts'
import type { ToolCallPart, ToolResultPart, UserMessage } from './message.ts'
import type { ModelOrder } from './order.ts'

/** What a context is made of: things that a cut never divides. */
export type Unit = HumanUnit | StepUnit | AsideUnit

/** A human message, or the continuation that repeats it: the start of a turn. */
export interface HumanUnit {
  type: 'human'
  item: MessageItem | ContinuationItem
  items: readonly ContextItem[]
  /** The entry of the message, also where a continuation repeats it. */
  seq: Seq
  message: UserMessage
}

/** One assistant message with the results of its calls. */
export interface StepUnit {
  type: 'step'
  status: 'closed' | 'pending' | 'aborted'
  item: MessageItem
  items: readonly ContextItem[]
  calls: readonly ToolCallPart[]
  results: readonly ToolResultPart[]
}

/** What neither the human nor the model said: a reminder, a gap, an earlier summary. */
export interface AsideUnit {
  type: 'aside'
  item: ContextItem
  items: readonly ContextItem[]
}

/** Takes a context apart into its human messages, steps and asides, in the model's order. */
export function unitsOf(items: ModelOrder): Unit[] {
  const units: Unit[] = []
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as ContextItem
    if (item.type === 'message' && item.message.role === 'assistant') {
      const results: ContextItem[] = []
      while (isToolMessage(items[index + 1])) results.push(items[++index] as ContextItem)
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

function isToolMessage(item: ContextItem | undefined): boolean {
  return item?.type === 'message' && item.message.role === 'tool'
}

function stepOf(item: MessageItem, resultItems: ContextItem[], newest: boolean): StepUnit {
  const calls: ToolCallPart[] = []
  const results: ToolResultPart[] = []
  const asked = new Set<string>()
  for (const { message } of [item, ...(resultItems as MessageItem[])]) {
    if (typeof message.content === 'string') continue
    for (const part of message.content) {
      if (part.type === 'tool-call') calls.push(part)
      if (part.type === 'tool-result') results.push(part)
      if (part.type === 'tool-approval-request') asked.add(part.toolCallId)
    }
  }
  const answered = new Set(results.map((result) => result.toolCallId))
  // The provider runs its own calls by itself, but where it asks first it waits too.
  const open = calls.some(
    ({ toolCallId, providerExecuted }) =>
      !answered.has(toolCallId) && (!providerExecuted || asked.has(toolCallId)),
  )
  const status = !open ? 'closed' : newest ? 'pending' : 'aborted'
  return { type: 'step', status, item, items: [item, ...resultItems], calls, results }
}
