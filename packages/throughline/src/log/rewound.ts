import { entryAt, indexAfter } from './entry-at.ts'
import { RefNotFoundError } from './errors.ts'
import type { Entry, EntryOf, Seq } from './entry.ts'
import type { Chronological } from './order.ts'

/** Entries in a row, both ends included; none of them is a rewind. */
export interface Range {
  from: Seq
  to: Seq
  /** They were said behind something that has been taken back since. */
  resumed?: true
}

/** A rewind and the entries that it left in force, in order of seq. */
export interface Rewound {
  seq: Seq
  ranges: readonly Range[]
}

/**
 * Makes sure that a session can go back to `to`; 0 is its beginning.
 * @throws RefNotFoundError
 */
export function checkRewind(log: Chronological, to: Seq): void {
  if (to === 0 || entryAt(log, to)) return
  throw new RefNotFoundError({ ref: `${to}`, newest: log.at(-1)?.seq ?? 0 })
}

/** What this rewind leaves in force, given all rewinds before it. */
export function rewound(earlier: readonly Rewound[], entry: EntryOf<'rewind'>): Rewound {
  // A log is not to be trusted: no view goes back to what comes later, and no entry stands twice.
  const to = Math.min(entry.to, entry.seq - 1)
  const ranges = rangesAt(earlier, to)
  if (entry.resume === undefined) return { seq: entry.seq, ranges }
  const resume = Math.max(entry.resume, to + 1)
  const resumed = rangesAt(earlier, entry.seq - 1)
    .filter((range) => range.to >= resume)
    .map(({ from, to }) => ({ from: Math.max(from, resume), to, resumed: true as const }))
  return { seq: entry.seq, ranges: [...ranges, ...resumed] }
}

/** What each of the rewinds among these entries leaves in force, oldest first. */
export function rewindsIn(entries: readonly Entry[]): Rewound[] {
  const rewinds: Rewound[] = []
  for (const entry of entries) if (entry.kind === 'rewind') rewinds.push(rewound(rewinds, entry))
  return rewinds
}

/** The entries in force after the entry `seq`: what the last rewind left, and all since. */
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
