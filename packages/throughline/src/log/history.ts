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
  for (let index = indexAfter(log, history.seq); index < log.length; index++) {
    const entry = log[index] as Entry
    if (entry.seq > upTo) break
    if (isVisible(entry)) history.entries.push(entry)
    if (entry.kind === 'rewind') rewindHistory(history, entry, log)
    history.seq = entry.seq
  }
  return history
}

function isVisible(entry: Entry): entry is EntryOf<'message'> {
  if (entry.kind !== 'message') return false
  return entry.origin !== 'synthetic' && entry.metadata?.compaction_continue !== true
}

function rewindHistory(history: History, entry: EntryOf<'rewind'>, log: Chronological): void {
  const rewind = rewound(history.rewinds, entry)
  history.rewinds = [...history.rewinds, rewind]
  history.entries = [...entriesIn(log, rewind.ranges)].filter(isVisible)
}

/** Consecutive entries, including both ends; none of them is a rewind. */
export interface Range {
  from: Seq
  to: Seq
  /** They were said after something that has since been rewound. */
  resumed?: true
}

/** A rewind and the entries that it left active, in order of seq. */
export interface Rewound {
  seq: Seq
  ranges: readonly Range[]
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
export function rewound(earlier: readonly Rewound[], entry: EntryOf<'rewind'>): Rewound {
  // A log can't be trusted: no view rewinds to a later entry, and no entry occurs twice.
  const to = Math.min(entry.to, entry.seq - 1)
  const ranges = rangesAt(earlier, to)
  if (entry.resume === undefined) return { seq: entry.seq, ranges }
  const resume = Math.max(entry.resume, to + 1)
  const resumed = rangesAt(earlier, entry.seq - 1)
    .filter((range) => range.to >= resume)
    .map(({ from, to }) => ({ from: Math.max(from, resume), to, resumed: true as const }))
  return { seq: entry.seq, ranges: [...ranges, ...resumed] }
}

/** What each of the rewinds among these entries leaves active, oldest first. */
export function rewindsIn(entries: readonly Entry[]): Rewound[] {
  const rewinds: Rewound[] = []
  for (const entry of entries) if (entry.kind === 'rewind') rewinds.push(rewound(rewinds, entry))
  return rewinds
}

/** The entries active after the entry `seq`: what the last rewind left, and everything since. */
export function rangesAt(rewinds: readonly Rewound[], seq: Seq): Range[] {
  const last = rewinds.findLast((rewind) => rewind.seq <= seq)
  const since = { from: (last?.seq ?? 0) + 1, to: seq }
  const ranges = last?.ranges ?? []
  return since.from <= since.to ? [...ranges, since] : [...ranges]
}

/** The entries of these ranges. */
export function* entriesIn(log: Chronological, ranges: readonly Range[]): Generator<Entry> {
  for (const { from, to } of ranges) {
    for (let index = indexAfter(log, from - 1); index < log.length; index++) {
      const entry = log[index] as Entry
      if (entry.seq > to) break
      yield entry
    }
  }
}
