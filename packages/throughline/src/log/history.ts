import { indexAfter, type Chronological, entryAt } from './order.ts'
import type { Entry, EntryOf, Seq } from './entry.ts'
import { RefNotFoundError } from './ref.ts'

/** The log as the user sees it: chronological, without what the engine added. */
export interface History {
  entries: EntryOf<'message'>[]
  seq: Seq
  /** The entries that each rewind left active, oldest first. */
  rewinds: readonly Rewound[]
}

/** The history of an empty log. */
export function emptyHistory(): History {
  return { entries: [], seq: 0, rewinds: [] }
}

/** The history after the newest entry of the log, or after the entry `upTo`. */
export function historyOf(log: Chronological, upTo: Seq = Number.MAX_SAFE_INTEGER): History {
  return advanceHistory(emptyHistory(), log, upTo)
}

/** Folds in the entries after `history.seq`; in place, like {@link advanceContext}. */
export function advanceHistory(
  history: History,
  log: Chronological,
  upTo: Seq = Number.MAX_SAFE_INTEGER,
): History {
  let index = indexAfter(log, history.seq)
  const end = indexAfter(log, upTo)
  const last = lastRewind(log, index, end)
  if (last >= 0) {
    history.rewinds = withRewinds(history.rewinds, log, index, last + 1)
    const ranges = rangesOf(history.rewinds.at(-1)?.active)
    history.entries = [...entriesIn(log, ranges)].filter(isVisible)
    index = last + 1
  }
  for (; index < end; index++) {
    const entry = log[index] as Entry
    if (isVisible(entry)) history.entries.push(entry)
  }
  if (end > 0) history.seq = Math.max(history.seq, (log[end - 1] as Entry).seq)
  return history
}

/**
 * Where the last rewind among these entries is, -1 without one. What earlier ones left active
 * matters only through it, so a fold may begin there.
 */
export function lastRewind(log: Chronological, from: number, end: number): number {
  for (let at = end - 1; at >= from; at--) if ((log[at] as Entry).kind === 'rewind') return at
  return -1
}

function isVisible(entry: Entry): entry is EntryOf<'message'> {
  if (entry.kind !== 'message') return false
  return entry.origin !== 'synthetic' && entry.metadata?.compaction_continue !== true
}

/** Consecutive entries, including both ends; none of them is a rewind. */
export interface Range {
  from: Seq
  to: Seq
  /** They were said after something that has since been rewound. */
  resumed?: true
}

/** Ranges in order of seq, the newest first; many share what they have in common. */
export interface Active {
  range: Range
  before: Active | undefined
}

/** A rewind and the entries that it left active. */
export interface Rewound {
  seq: Seq
  active: Active | undefined
}

/**
 * Checks that a session can rewind to `to`; 0 is its beginning.
 * @throws RefNotFoundError
 */
export function checkRewind(log: Chronological, to: Seq): void {
  if (to === 0 || entryAt(log, to)) return
  throw new RefNotFoundError({ ref: `${to}`, newest: log.at(-1)?.seq ?? 0 })
}

/** What this rewind leaves active, given all rewinds before it. */
function rewound(earlier: readonly Rewound[], entry: EntryOf<'rewind'>): Rewound {
  // A log can't be trusted: no view rewinds to a later entry, and no entry occurs twice.
  const to = Math.min(entry.to, entry.seq - 1)
  let active = activeAt(earlier, to)
  if (entry.resume === undefined) return { seq: entry.seq, active }
  const resume = Math.max(entry.resume, to + 1)
  const resumed: Range[] = []
  for (let at = activeAt(earlier, entry.seq - 1); at && at.range.to >= resume; at = at.before) {
    const { from, to } = at.range
    resumed.push({ from: Math.max(from, resume), to, resumed: true })
  }
  for (const range of resumed.toReversed()) active = { range, before: active }
  return { seq: entry.seq, active }
}

/** The rewinds with those among these entries of the log. */
export function withRewinds(
  earlier: readonly Rewound[],
  log: readonly Entry[],
  from = 0,
  end = log.length,
): readonly Rewound[] {
  const rewinds = [...earlier]
  for (let at = from; at < end; at++) {
    const entry = log[at] as Entry
    if (entry.kind === 'rewind') rewinds.push(rewound(rewinds, entry))
  }
  return rewinds
}

/** What each of the rewinds among these entries leaves active, oldest first. */
export function rewindsIn(entries: readonly Entry[]): readonly Rewound[] {
  return withRewinds([], entries)
}

/** The entries active after the entry `seq`: what the last rewind left, and everything since. */
export function rangesAt(rewinds: readonly Rewound[], seq: Seq): Range[] {
  return rangesOf(activeAt(rewinds, seq))
}

/** The entries of a log that its rewinds left, in order. */
export function entriesInForce(log: Chronological): Entry[] {
  return [...entriesIn(log, rangesAt(rewindsIn(log), log.at(-1)?.seq ?? 0))]
}

function activeAt(rewinds: readonly Rewound[], seq: Seq): Active | undefined {
  let low = 0
  let high = rewinds.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rewinds[middle] as Rewound).seq <= seq) low = middle + 1
    else high = middle
  }
  const last = rewinds[low - 1]
  const from = (last?.seq ?? 0) + 1
  return from <= seq ? { range: { from, to: seq }, before: last?.active } : last?.active
}

/** Oldest first. */
export function rangesOf(active: Active | undefined): Range[] {
  const ranges: Range[] = []
  for (let at = active; at; at = at.before) ranges.push(at.range)
  return ranges.toReversed()
}

/** Whether one of these ranges holds an entry. */
export function isIn(ranges: readonly Range[], seq: Seq): boolean {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranges[middle] as Range).to < seq) low = middle + 1
    else high = middle
  }
  const range = ranges[low]
  return range !== undefined && range.from <= seq
}

export function* entriesIn(log: Chronological, ranges: readonly Range[]): Generator<Entry> {
  for (const { from, to } of ranges) {
    for (let index = indexAfter(log, from - 1); index < log.length; index++) {
      const entry = log[index] as Entry
      if (entry.seq > to) break
      yield entry
    }
  }
}
