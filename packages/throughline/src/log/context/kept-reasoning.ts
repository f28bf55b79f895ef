import { pendingStepStart } from '../open-calls.ts'
import { redacted } from '../redaction/secret.ts'
import { modelOrder, type ModelOrder } from '../order.ts'
import { partsOf, type Part } from '../message.ts'
import type { ContextItem, LateItem, MessageItem } from './context-item.ts'
import type { Seq } from '../entry.ts'

/** What providers have said of the reasoning that a session sends back to them. */
export interface ReasoningTaken {
  /** It was refused behind other things than those that it was said behind. */
  refused: boolean
  /** A call was refused that had none before it. */
  demanded: boolean
}

export const nothingLearned: ReasoningTaken = { refused: false, demanded: false }

/** Which of both a provider said. */
export type ReasoningRefusal = 'refuses' | 'demands'

export function learned(taken: ReasoningTaken, says: ReasoningRefusal): ReasoningTaken {
  return says === 'refuses' ? { ...taken, refused: true } : { ...taken, demanded: true }
}

/**
 * Whether a message is sent with its reasoning and the item ids that belong to it: whole, or not
 * at all. What was overwritten in it is no longer what its provider signed, and an item that a
 * provider stores by id cannot be clipped.
 */
export function keepsReasoning({
  kept,
  message,
  replacements = [],
}: Pick<MessageItem, 'kept' | 'message' | 'replacements'>): boolean {
  if (kept !== 'whole') return kept === undefined
  const parts = partsOf(message)
  if (parts.some((part) => part.type === 'reasoning' && part.text.includes(redacted))) return false
  return replacements.length === 0 || !parts.some(hasItemId)
}

/** Whether a part names what its provider stores. */
export function hasItemId(part: Part): boolean {
  const options = 'providerOptions' in part ? part.providerOptions : undefined
  return options !== undefined && Object.values(options).some((values) => 'itemId' in values)
}

export function isReasoning({ type }: Part): boolean {
  return type === 'reasoning' || type === 'reasoning-file'
}

/** The same item behind other things than those it was said behind. */
export function keptItem(item: ContextItem, taken: ReasoningTaken): ContextItem {
  if (item.type !== 'message' || item.message.role !== 'assistant') return item
  return keptAs(item, taken.refused || item.kept === 'bare' ? 'bare' : 'whole')
}

function keptAs(item: MessageItem, kept: 'whole' | 'bare'): MessageItem {
  return item.kept === kept ? item : { ...item, kept }
}

/**
 * Items as the tail of a summary has them. Of the current loop, all since the newest human
 * message, the reasoning stays; older reasoning goes whole, unless a provider wants that too.
 */
export function tailKept(items: readonly ContextItem[], taken: ReasoningTaken): ContextItem[] {
  const loop = loopStart(items)
  return items.map((item, index) => {
    if (item.type !== 'message' || item.message.role !== 'assistant') return item
    const stays = !taken.refused && (index >= loop || taken.demanded)
    return keptAs(item, stays ? 'whole' : 'bare')
  })
}

/** Where the current loop begins: behind the newest human message. */
function loopStart(items: readonly ContextItem[]): number {
  return 1 + items.findLastIndex(isHuman)
}

/** Whether a human said it: a turn begins here. */
export function isHuman(item: ContextItem): boolean {
  if (item.type === 'continuation') return item.continuation.of !== undefined
  return item.type === 'message' && item.message.role === 'user' && item.origin === 'human'
}

/**
 * The items behind a refusal; the very same where nothing can be changed. Reasoning that was
 * refused goes, from the first message on that stands behind other things than before. Where it
 * was demanded, it comes back; a step that has none left goes whole, first in the current loop.
 */
export function refusedItems(
  items: ModelOrder,
  taken: ReasoningTaken,
  says: ReasoningRefusal,
  seq: Seq,
): ModelOrder {
  const { refused, demanded } = learned(taken, says)
  const changed = says === 'refuses' ? withoutReasoning(items) : items
  if (!demanded) return changed
  const whole = refused ? changed : withReasoning(changed)
  const inLoop = withoutBareSteps(whole, loopStart(whole), seq)
  return inLoop === items ? withoutBareSteps(items, 0, seq) : inLoop
}

function withoutReasoning(items: ModelOrder): ModelOrder {
  const first = items.findIndex((item) => item.type === 'message' && item.kept === 'whole')
  return mapped(items, (item, index) =>
    index >= first && item.message.role === 'assistant' && showsReasoning(item)
      ? keptAs(item, 'bare')
      : item,
  )
}

function withReasoning(items: ModelOrder): ModelOrder {
  return mapped(items, (item) =>
    item.kept === 'bare' && showsReasoning({ ...item, kept: 'whole' })
      ? keptAs(item, 'whole')
      : item,
  )
}

function showsReasoning(item: MessageItem): boolean {
  return partsOf(item.message).some((part) => isReasoning(part) || hasItemId(part))
    ? keepsReasoning(item)
    : false
}

function mapped(
  items: ModelOrder,
  change: (item: MessageItem, index: number) => MessageItem,
): ModelOrder {
  const next = items.map((item, index) => (item.type === 'message' ? change(item, index) : item))
  return next.some((item, index) => item !== items[index]) ? modelOrder(next) : items
}

/**
 * The items without the steps from `from` on that call a tool and have no reasoning to send.
 * Results of the newest step stay as text: the model has not seen them yet.
 */
export function withoutBareSteps(items: ModelOrder, from: number, seq: Seq): ModelOrder {
  const end = pendingStepStart(items) ?? items.length
  const newest = items.findLastIndex(isAnswer)
  const next: ContextItem[] = []
  let left: MessageItem[] = []
  let late: LateItem[] = []
  const tell = (): void => {
    if (left.length > 0) next.push(omissionOf(left, seq))
    next.push(...late)
    left = []
    late = []
  }
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as ContextItem
    if (index < from || index >= end || !isBareCall(item)) {
      tell()
      next.push(item)
      continue
    }
    left.push(item)
    for (let result = items[index + 1]; isResult(result); result = items[index + 1]) {
      index += 1
      left.push(result)
      if (index > newest) late.push({ type: 'late', seq: result.seq, message: result.message })
    }
  }
  tell()
  return next.length === items.length && next.every((item, index) => item === items[index])
    ? items
    : modelOrder(next)
}

function omissionOf(left: readonly MessageItem[], seq: Seq): ContextItem {
  const from = left[0]?.seq ?? seq
  const to = left.at(-1)?.seq ?? seq
  const steps = left.filter(isAnswer).length
  const text = `[${steps === 1 ? '1 step is' : `${steps} steps are`} left out here, entries ${from}–${to}; the model takes no call without its reasoning.]`
  return { type: 'omission', seq, from, to, text }
}

function isAnswer(item: ContextItem): boolean {
  return item.type === 'message' && item.message.role === 'assistant'
}

type ResultItem = MessageItem & { message: LateItem['message'] }

function isResult(item: ContextItem | undefined): item is ResultItem {
  return item?.type === 'message' && item.message.role === 'tool'
}

function isBareCall(item: ContextItem): item is MessageItem {
  if (item.type !== 'message' || item.message.role !== 'assistant') return false
  const parts = partsOf(item.message)
  if (!parts.some(({ type }) => type === 'tool-call')) return false
  return !keepsReasoning(item) || !parts.some(isReasoning)
}
