import { renderContext } from '../compaction/render/render.ts'
import {
  isSummaryBlock,
  summaryBlock,
  type SummaryRole,
} from '../compaction/render/summary-block.ts'
import { advanceContext, emptyContext } from '../log/context/context.ts'
import { entryAt, chronological, type Chronological, type ModelOrder } from '../log/order.ts'
import { messageText, type Message } from '../log/message.ts'
import { entriesInForce } from '../log/history.ts'
import { messageKeys } from './message-keys.ts'
import type { ContextItem } from '../log/context/context-item.ts'
import type { Entry, EntryOf, Seq } from '../log/entry.ts'

/** A part of a message that a host may have, in the order in which it would have it. */
export interface KnownPart {
  key: number
  /** The entry that it belongs to. */
  seq: Seq
  /**
   * A host may omit it, because we added it (a summary, a `continue`), because it is reasoning or
   * because the session alone received it (a child's report).
   */
  optional: boolean
  /** Only we wrote it; it never counts as new. */
  ours: boolean
  /** A summary: the newest entry of which only the summary is left. */
  under?: Seq
}

interface Grown {
  parts: KnownPart[]
  upTo: number
}

interface Rendering extends Grown {
  items: number
}

const rendered = new WeakMap<readonly Message[], Rendering>()

/**
 * The messages that we rendered, as a host holds them. Items that were compared before are not
 * compared again.
 */
export function renderedView(
  items: ModelOrder,
  log: Chronological,
  summaryRole: SummaryRole,
): readonly KnownPart[] {
  const { messages, seqs } = renderContext(items, summaryRole)
  let grown = rendered.get(messages)
  if (!grown) rendered.set(messages, (grown = { parts: [], upTo: 0, items: 0 }))
  for (; grown.upTo < messages.length; grown.upTo++) {
    const message = messages[grown.upTo] as Message
    const seq = seqs[grown.upTo] as Seq
    addUnseen(grown, items, (item) => item.seq !== seq)
    const entry = entryAt(log, seq)
    addMessage(grown.parts, message, entry)
    if (!isClosing(message, entry)) grown.items += 1
  }
  addUnseen(grown, items, () => true)
  return grown.parts
}

/** Messages that say nothing to a model, such as reasoning alone; a host may keep them. */
function addUnseen(
  grown: Rendering,
  items: ModelOrder,
  isUnseen: (item: ContextItem) => boolean,
): void {
  for (; grown.items < items.length; grown.items++) {
    const item = items[grown.items] as ContextItem
    if (!isUnseen(item)) return
    if (item.type !== 'message') continue
    for (const { key } of messageKeys(item.message)) {
      grown.parts.push({ key, seq: item.seq, optional: true, ours: item.origin === 'synthetic' })
    }
  }
}

const written = new WeakMap<Chronological, Grown>()

/** All active messages in their original words: what a host has if it keeps its own history. */
export function writtenView(log: Chronological): readonly KnownPart[] {
  let grown = written.get(log)
  const added = log.slice(grown?.upTo ?? 0)
  if (!grown || added.some(({ kind }) => kind === 'rewind')) {
    grown = { parts: writtenParts(entriesInForce(log)), upTo: log.length }
    written.set(log, grown)
    return grown.parts
  }
  grown.upTo = log.length
  for (const part of writtenParts(added)) grown.parts.push(part)
  return grown.parts
}

const keys = new WeakMap<Chronological, { keys: Set<number>; upTo: number }>()

/** The keys of everything that was ever said and of everything that checkpoints inserted. */
export function knownKeys(log: Chronological): ReadonlySet<number> {
  let known = keys.get(log)
  if (!known) keys.set(log, (known = { keys: new Set(), upTo: 0 }))
  for (; known.upTo < log.length; known.upTo++) {
    for (const message of messagesIn(log[known.upTo] as Entry)) {
      for (const { key } of messageKeys(message)) known.keys.add(key)
    }
  }
  return known.keys
}

function messagesIn(entry: Entry): Message[] {
  if (entry.kind === 'message') return [entry.message]
  if (entry.kind !== 'checkpoint') return []
  const omissions = entry.tail.flatMap((item) => (item.type === 'omission' ? [item.text] : []))
  return [
    ...omissions.map((content): Message => ({ role: 'user', content })),
    ...(entry.continuation ? [entry.continuation.message] : []),
    ...(entry.block?.messages ?? []),
  ]
}

/**
 * What we rendered before each change of the view, plus everything said since, newest first: for a
 * host that has not yet seen a compaction's result.
 */
export function* earlierViews(
  log: Chronological,
  summaryRole: SummaryRole,
  provider: string | undefined,
): Generator<readonly KnownPart[]> {
  const entries = entriesInForce(log)
  const logInForce = chronological(entries)
  const context = emptyContext(provider)
  const views: { items: ModelOrder; next: number }[] = []
  for (const [index, entry] of entries.entries()) {
    if (changesView(entry)) {
      views.push({ items: context.items, next: index + 1 })
    }
    advanceContext(context, logInForce, entry.seq)
  }
  for (const { items, next } of views.toReversed()) {
    yield [...renderedView(items, log, summaryRole), ...writtenParts(entries.slice(next))]
  }
}

/** A refusal of reasoning or of a provider's block changes what we send as a prune does. */
function changesView(entry: Entry): boolean {
  if (entry.kind === 'observation') {
    return entry.observation.type === 'reasoning' || entry.observation.type === 'blocks'
  }
  return entry.kind === 'checkpoint' || entry.kind === 'prune'
}

function writtenParts(entries: readonly Entry[]): KnownPart[] {
  const parts: KnownPart[] = []
  for (const entry of entries) {
    if (entry.kind === 'message') addMessage(parts, entry.message, entry)
    if (entry.kind === 'checkpoint') addSummary(parts, entry)
  }
  return parts
}

/** A host can only have it if its array begins with it. */
function addSummary(parts: KnownPart[], entry: EntryOf<'checkpoint'>): void {
  const content = summaryBlock({ summary: entry.summary, pins: [], takenBack: [] })
  for (const { key } of messageKeys({ role: 'user', content })) {
    parts.push({ key, seq: entry.seq, ours: true, optional: true, under: underOf(entry) })
  }
}

function addMessage(parts: KnownPart[], message: Message, entry: Entry | undefined): void {
  const source = sourceOf(message, entry)
  for (const { key, optional } of messageKeys(message)) {
    parts.push({ ...source, key, optional: source.optional || optional })
  }
}

function sourceOf(message: Message, entry: Entry | undefined): Omit<KnownPart, 'key'> {
  if (entry?.kind === 'message') {
    const ours = isClosing(message, entry) || entry.origin === 'synthetic'
    // A host keeps what it was told itself; what the session was told besides still stands.
    const besides = message.role === 'system' || isReceived(entry)
    return { seq: entry.seq, ours, optional: ours || besides }
  }
  const seq = entry?.seq ?? 0
  if (entry?.kind !== 'checkpoint') return { seq, ours: true, optional: true }
  const { of, message: continued } = entry.continuation ?? {}
  if (of !== undefined && message === continued) return { seq: of, ours: false, optional: true }
  return { seq, ours: true, optional: !isSummaryBlock(messageText(message)), under: underOf(entry) }
}

/** Synthetic results for results that never came go before the entry whose name they bear. */
function isClosing(message: Message, entry: Entry | undefined): boolean {
  return message.role === 'tool' && entry?.kind === 'message' && entry.message.role !== 'tool'
}

/** The newest entry of which a checkpoint keeps nothing word for word. */
function underOf({ base, tail }: EntryOf<'checkpoint'>): Seq {
  const kept = new Set(tail.flatMap((item) => (item.type === 'entry' ? [item.seq] : [])))
  let seq = base
  while (kept.has(seq)) seq -= 1
  return seq
}

/** Whether a message is a child's report, which a host that keeps its own history does not have. */
function isReceived({ origin, metadata }: EntryOf<'message'>): boolean {
  return origin === 'harness' && metadata?.['received'] !== undefined
}
