import { abortedResults } from '../../log/open-calls.ts'
import { continuationMessage } from './continuation-mark.ts'
import { outputText } from '../../log/message-text.ts'
import { summaryBlock, type SummaryRole } from './summary-block.ts'
import type { ContextItem } from '../../log/context-item.ts'
import type { Seq } from '../../log/entry.ts'
import type { AssistantPart, Message, ToolMessage } from '../../log/message.ts'
import type { ModelOrder } from '../../log/order.ts'

/** A context as messages, and the entry that each came from. */
export interface Rendered {
  messages: readonly Message[]
  seqs: readonly Seq[]
}

interface Progress {
  messages: Message[]
  seqs: Seq[]
  /** Items that are rendered already. */
  done: number
  /** The newest step: what it is without, when something else follows, is put in. */
  step: Message[]
}

const progressOf = new WeakMap<SummaryRole, WeakMap<ModelOrder, Progress>>()

/**
 * Renders a context for a provider. What was rendered before is not rendered again, so
 * that the cost of a step does not grow with the session, and so that the same items are
 * the same message objects.
 *
 * Every call has its one result behind it, except the pending calls of the newest step;
 * reasoning that stood before the last change of the view is left out whole.
 */
export function renderContext(items: ModelOrder, summaryRole: SummaryRole): Rendered {
  const progress = progressFor(items, summaryRole)
  for (; progress.done < items.length; progress.done++) {
    renderItem(progress, items[progress.done] as ContextItem, summaryRole)
  }
  return { messages: progress.messages, seqs: progress.seqs }
}

function progressFor(items: ModelOrder, summaryRole: SummaryRole): Progress {
  let byItems = progressOf.get(summaryRole)
  if (!byItems) progressOf.set(summaryRole, (byItems = new WeakMap()))
  let progress = byItems.get(items)
  if (!progress) {
    progress = { messages: [], seqs: [], done: 0, step: [] }
    byItems.set(items, progress)
  }
  return progress
}

function renderItem(progress: Progress, item: ContextItem, summaryRole: SummaryRole): void {
  const message = messageOf(item, summaryRole)
  // A message that has nothing to show still ends the wait for results.
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
      return item.kept ? keptMessage(item.message) : withContent(item.message)
    case 'summary':
      return summaryRole(summaryBlock(item))
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

/** Providers answer 400 to an empty assistant message, and it says nothing. */
function withContent(message: Message): Message | undefined {
  return message.role === 'assistant' && message.content.length === 0 ? undefined : message
}

/**
 * A message from before a change of the view: reasoning is signed for its prefix, and item
 * ids name stored items that need that reasoning, so both go.
 */
export function keptMessage(message: Message): Message | undefined {
  if (message.role !== 'assistant' || typeof message.content === 'string') {
    return withContent(message)
  }
  const content = message.content
    .filter((part) => part.type !== 'reasoning' && part.type !== 'reasoning-file')
    .map(withoutItemId)
  return withContent({ ...message, content })
}

function withoutItemId(part: AssistantPart): AssistantPart {
  const options = 'providerOptions' in part ? part.providerOptions : undefined
  if (!options) return part
  const bound = Object.values(options).some((values) => 'itemId' in values)
  if (!bound) return part
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
