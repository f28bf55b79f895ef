import { indexAfter } from '../../../log/entry-at.ts'
import type { Entry, EntryOf, Seq } from '../../../log/entry.ts'
import type { Chronological } from '../../../log/order.ts'

/** What the index reads of a log: messages that somebody said, and checkpoints. */
export type Told = EntryOf<'message'> | EntryOf<'checkpoint'>

/** The view at one entry: the view before it, and what the entry added. */
interface Moment {
  before: Moment | undefined
  told: Told
}

/**
 * What was told up to an entry, in order, after every rewind on the way. Rewinds share
 * what stays, so that going back again and again costs no more than going on.
 */
export function toldUpTo(log: Chronological, seq: Seq): Told[] {
  const moments: (Moment | undefined)[] = []
  let now: Moment | undefined
  const end = indexAfter(log, seq)
  for (let at = 0; at < end; at++) {
    const entry = log[at] as Entry
    if (entry.kind === 'rewind') now = rewound(log, moments, entry)
    else if (isTold(entry)) now = { before: now, told: entry }
    moments.push(now)
  }
  return unrolled(now)
}

/** Whether an entry is told: what the engine made up is not. */
export function isTold(entry: Entry): entry is Told {
  if (entry.kind === 'checkpoint') return true
  return (
    entry.kind === 'message' &&
    entry.origin !== 'synthetic' &&
    entry.metadata?.compaction_continue !== true
  )
}

/**
 * The view at `to`, with what was told from `resume` on. A rewind in between decided
 * what was seen after it, whatever was before.
 */
function rewound(
  log: Chronological,
  moments: readonly (Moment | undefined)[],
  { to, resume }: EntryOf<'rewind'>,
): Moment | undefined {
  let now = moments[Math.min(indexAfter(log, to), moments.length) - 1]
  if (resume === undefined) return now
  for (let at = indexAfter(log, resume - 1); at < moments.length; at++) {
    const entry = log[at] as Entry
    if (entry.kind === 'rewind') now = moments[at]
    else if (isTold(entry)) now = { before: now, told: entry }
  }
  return now
}

function unrolled(moment: Moment | undefined): Told[] {
  const told: Told[] = []
  for (let at = moment; at !== undefined; at = at.before) told.push(at.told)
  return told.toReversed()
}
