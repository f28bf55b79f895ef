import type { Seq, TailItem } from '../../log/entry.ts'
import type { EventId } from './event.ts'

/** Entries that a condensation keeps or forgets together, and the events that they were made of. */
interface Span {
  events: EventId[]
  seqs: Seq[]
}

/** What still stands in the context, oldest first. */
export interface Spans {
  kept: Span[]
}

const mostKept = 500

export function newSpans(): Spans {
  return { kept: [] }
}

export function startSpan(spans: Spans, event: EventId | undefined): void {
  spans.kept.push({ events: [], seqs: [] })
  addEvent(spans, event)
}

/** Files one more event under the newest span. */
export function addEvent(spans: Spans, event: EventId | undefined): void {
  if (event !== undefined) spans.kept.at(-1)?.events.push(event)
}

export function addSeq(spans: Spans, seq: Seq): void {
  spans.kept.at(-1)?.seqs.push(seq)
}

/** Takes out what was forgotten, and says which entries are left. */
export function forget(spans: Spans, forgets: (event: EventId) => boolean): TailItem[] {
  const kept = spans.kept.filter(({ events }) => !events.some(forgets))
  spans.kept = kept.slice(-mostKept)
  return spans.kept.flatMap(({ seqs }) => seqs).map((seq) => ({ type: 'entry', seq }))
}
