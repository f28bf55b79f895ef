import { abortedResults } from '../../log/open-calls.ts'
import { wellFormed } from '../../json/well-formed.ts'
import { whenCopied } from '../../log/context/known-items.ts'
import { continuationMessage } from './continuation-mark.ts'
import { outputText, partsOf } from '../../log/message.ts'
import { withoutProviderCompaction } from '../../log/context/provider-compaction.ts'
import { summaryBlock, type SummaryRole } from './summary-block.ts'
import { hasItemId, isReasoning, keepsReasoning } from '../../log/context/kept-reasoning.ts'
import type { ContextItem, MessageItem } from '../../log/context/context-item.ts'
import type { Seq } from '../../log/entry.ts'
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolMessage,
  UserMessage,
} from '../../log/message.ts'
import type { ModelOrder } from '../../log/order.ts'
import type { Counter } from '../../tokens/counter.ts'
import type { EstimatedTokens } from '../../tokens/units.ts'

/** A context as messages, and the entry that each message came from. */
export interface Rendered {
  messages: readonly Message[]
  seqs: readonly Seq[]
  /** How far these messages have been counted, by what counts them. */
  counted: Map<Counter['message'], Counted>
}

export interface Counted {
  upTo: number
  tokens: EstimatedTokens
  /** The newest entry of the answer that a provider's own compaction came with. */
  ignoredUpTo: Seq
}

interface Progress extends Rendered {
  messages: Message[]
  seqs: Seq[]
  /** How many items have already been rendered. */
  done: number
  /** The checkpoint whose summary comes first. */
  summarizedAt: Seq
  /** The newest step: what it is without, when something else follows, is put in. */
  step: Message[]
}

const progressOf = new WeakMap<ModelOrder, Map<SummaryRole, Progress>>()

whenCopied((from, to) => {
  const copies = [...(progressOf.get(from) ?? [])].map(([role, progress]) => {
    const { messages, seqs, step, counted } = progress
    const counts = new Map([...counted].map(([count, sum]) => [count, { ...sum }]))
    const copy = { messages: messages.slice(), seqs: seqs.slice(), step: step.slice() }
    return [role, { ...progress, ...copy, counted: counts }] as const
  })
  progressOf.set(to, new Map(copies))
})

/**
 * Renders a context for a provider. Messages that were rendered before are not rendered again, so
 * the cost of a step doesn't grow with the session, and the same items give the same message
 * objects.
 *
 * Every call has its one result behind it, except the pending calls of the newest step;
 * reasoning is whole or left out whole. Every text is
 * well-formed: a log keeps what tools gave as it was, and providers refuse half of a character.
 */
export function renderContext(items: ModelOrder, summaryRole: SummaryRole): Rendered {
  const progress = progressFor(items, summaryRole)
  for (; progress.done < items.length; progress.done++) {
    renderItem(progress, items[progress.done] as ContextItem, summaryRole)
  }
  return progress
}

// As many as take a few milliseconds.
const few = 500

/** Renders what is new in steps: others may render more of it in between. */
export function* renderAhead(
  items: ModelOrder,
  summaryRole: SummaryRole,
): Generator<undefined, void> {
  const progress = progressFor(items, summaryRole)
  while (progress.done < items.length) {
    renderItem(progress, items[progress.done] as ContextItem, summaryRole)
    progress.done += 1
    if (progress.done % few === 0) yield
  }
}

function progressFor(items: ModelOrder, summaryRole: SummaryRole): Progress {
  let byRole = progressOf.get(items)
  if (!byRole) progressOf.set(items, (byRole = new Map()))
  let progress = byRole.get(summaryRole)
  if (!progress) {
    const counted = new Map<Counter['message'], Counted>()
    progress = { messages: [], seqs: [], counted, done: 0, summarizedAt: 0, step: [] }
    byRole.set(summaryRole, progress)
  }
  return progress
}

function renderItem(progress: Progress, item: ContextItem, summaryRole: SummaryRole): void {
  if (item.type === 'summary') {
    progress.summarizedAt = item.seq
    for (const message of item.block?.messages ?? []) {
      progress.messages.push(message)
      progress.seqs.push(item.seq)
    }
  }
  const rendered = formedOnce(messageOf(item, summaryRole))
  // The provider would ignore all before its own compaction: our summary, too, which covers it.
  const isCovered = item.seq < progress.summarizedAt || (item.type === 'message' && item.unread)
  const message = rendered && isCovered ? withoutProviderCompaction(rendered) : rendered
  // Even a message with nothing to show ends the wait for results.
  if (!message) return closeOpenCalls(progress, item.seq)
  if (message.role === 'tool') {
    progress.step.push(message)
  } else {
    closeOpenCalls(progress, item.seq)
    if (message.role === 'assistant') progress.step = [message]
  }
  progress.messages.push(message)
  progress.seqs.push(item.seq)
}

const formed = new WeakMap<Message, Message>()

/** Most messages of a context are in the next one, too. */
function formedOnce(message: Message | undefined): Message | undefined {
  if (!message) return undefined
  let known = formed.get(message)
  if (!known) formed.set(message, (known = wellFormed(message)))
  return known
}

function closeOpenCalls(progress: Progress, seq: Seq): void {
  const message = abortedResults(progress.step)
  progress.step = []
  if (!message) return
  progress.messages.push(message)
  progress.seqs.push(seq)
}

function messageOf(item: ContextItem, summaryRole: SummaryRole): Message | undefined {
  switch (item.type) {
    case 'message':
      return keptMessage(item)
    case 'summary':
      return summaryRole(
        summaryBlock(item.block ? { ...item, summary: item.block.standing } : item),
      )
    case 'omission':
      return { role: 'user', content: item.text }
    case 'pin':
      return { role: 'user', content: `[Pinned] ${item.text}` }
    case 'continuation':
      return continuationMessage(item.continuation)
    case 'late':
      return { role: 'user', content: lateText(item.message) }
  }
}

/** Providers reject a message of either side that says nothing with 400. */
function withContent(message: Message): Message | undefined {
  const isSaid = message.role === 'user' || message.role === 'assistant'
  return isSaid && isBlank(message) ? undefined : message
}

function isBlank(message: UserMessage | AssistantMessage): boolean {
  return partsOf(message).every((part) => part.type === 'text' && part.text.trim() === '')
}

/**
 * A message with its reasoning or without: item ids name stored items that need that reasoning,
 * so that they go with it.
 */
export function keptMessage(
  item: Pick<MessageItem, 'kept' | 'message' | 'replacements'>,
): Message | undefined {
  const { message } = item
  if (message.role !== 'assistant' || typeof message.content === 'string' || keepsReasoning(item)) {
    return withContent(message)
  }
  // Almost always: the very same message has been counted already.
  if (!message.content.some((part) => isReasoning(part) || hasItemId(part))) {
    return withContent(message)
  }
  const content = message.content.filter((part) => !isReasoning(part)).map(withoutItemId)
  return withContent({ ...message, content })
}

function withoutItemId(part: AssistantPart): AssistantPart {
  const options = 'providerOptions' in part ? part.providerOptions : undefined
  if (!options || !hasItemId(part)) return part
  const providerOptions = Object.fromEntries(
    Object.entries(options).map(([provider, values]) => [
      provider,
      Object.fromEntries(Object.entries(values).filter(([key]) => key !== 'itemId')),
    ]),
  )
  return { ...part, providerOptions }
}

function lateText(message: ToolMessage): string {
  const results = message.content.flatMap((part) =>
    part.type === 'tool-result'
      ? [`[Late result of ${part.toolName}, call ${part.toolCallId}]\n${outputText(part.output)}`]
      : [],
  )
  return results.join('\n\n') || '[A late answer to a tool approval]'
}
