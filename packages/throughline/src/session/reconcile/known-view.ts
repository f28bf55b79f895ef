import { renderContext } from '../../compaction/render.ts'
import { isSummaryBlock, summaryBlock, type SummaryRole } from '../../compaction/summary-block.ts'
import { advanceContext, emptyContext } from '../../log/context.ts'
import { entryAt } from '../../log/entry-at.ts'
import { messageText } from '../../log/message-text.ts'
import { chronological, type Chronological, type ModelOrder } from '../../log/order.ts'
import { entriesIn, rangesAt, rewindsIn } from '../../log/rewound.ts'
import { messageKeys } from './message-keys.ts'
import type { Entry, EntryOf, Seq } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'

/** A part of a message that a host may hold of a session, in the order in which it would. */
export interface KnownPart {
  key: number
  /** The entry that it is of. */
  seq: Seq
  /** A host may leave it out: it is ours (a summary, a `continue`), or it is reasoning. */
  optional: boolean
  /** Nobody but us said it: it is never taken for new. */
  ours: boolean
  /** A summary: the newest entry of which nothing but the summary is left. */
  under?: Seq
}

interface Grown {
  parts: KnownPart[]
  upTo: number
}

const rendered = new WeakMap<readonly Message[], Grown>()

/** What we render, in a host's hands. What was looked at before is not looked at again. */
export function renderedView(
  items: ModelOrder,
  log: Chronological,
  summaryRole: SummaryRole,
): readonly KnownPart[] {
  const { messages, seqs } = renderContext(items, summaryRole)
  let grown = rendered.get(messages)
  if (!grown) rendered.set(messages, (grown = { parts: [], upTo: 0 }))
  for (; grown.upTo < messages.length; grown.upTo++) {
    const message = messages[grown.upTo] as Message
    addMessage(grown.parts, message, entryAt(log, seqs[grown.upTo] as Seq))
  }
  return grown.parts
}

const written = new WeakMap<Chronological, Grown>()

/** All messages in force, as they were said: what a host has that keeps its own history. */
export function writtenView(log: Chronological): readonly KnownPart[] {
  let grown = written.get(log)
  const added = log.slice(grown?.upTo ?? 0)
  if (!grown || added.some(({ kind }) => kind === 'rewind')) {
    grown = { parts: writtenParts(inForce(log)), upTo: log.length }
    written.set(log, grown)
    return grown.parts
  }
  grown.upTo = log.length
  for (const part of writtenParts(added)) grown.parts.push(part)
  return grown.parts
}

/**
 * What we rendered before each change of the view, and all that was said since, the newest first:
 * for a host that has not yet seen what a compaction made.
 */
export function* earlierViews(
  log: Chronological,
  summaryRole: SummaryRole,
): Generator<readonly KnownPart[]> {
  const entries = inForce(log)
  const standing = chronological(entries)
  const context = emptyContext()
  const views: { items: ModelOrder; next: number }[] = []
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'checkpoint' || entry.kind === 'prune') {
      views.push({ items: context.items, next: index + 1 })
    }
    advanceContext(context, standing, entry.seq)
  }
  for (const { items, next } of views.toReversed()) {
    yield [...renderedView(items, log, summaryRole), ...writtenParts(entries.slice(next))]
  }
}

function inForce(log: Chronological): Entry[] {
  return [...entriesIn(log, rangesAt(rewindsIn(log), log.at(-1)?.seq ?? 0))]
}

function writtenParts(entries: readonly Entry[]): KnownPart[] {
  const parts: KnownPart[] = []
  for (const entry of entries) {
    if (entry.kind === 'message') addMessage(parts, entry.message, entry)
    if (entry.kind === 'checkpoint') addSummary(parts, entry)
  }
  return parts
}

/** A host has it only if it began with it. */
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
    // Results in the place of those that never came stand before the entry that they are named by.
    const closing = message.role === 'tool' && entry.message.role !== 'tool'
    const ours = closing || entry.origin === 'synthetic'
    return { seq: entry.seq, ours, optional: ours || message.role === 'system' }
  }
  const seq = entry?.seq ?? 0
  if (entry?.kind !== 'checkpoint') return { seq, ours: true, optional: true }
  const { of, message: continued } = entry.continuation ?? {}
  if (of !== undefined && message === continued) return { seq: of, ours: false, optional: true }
  return { seq, ours: true, optional: !isSummaryBlock(messageText(message)), under: underOf(entry) }
}

/** The newest entry of which a checkpoint keeps nothing word for word. */
function underOf({ base, tail }: EntryOf<'checkpoint'>): Seq {
  const kept = new Set(tail.flatMap((item) => (item.type === 'entry' ? [item.seq] : [])))
  let seq = base
  while (kept.has(seq)) seq -= 1
  return seq
}
