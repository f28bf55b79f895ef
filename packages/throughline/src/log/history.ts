import { indexAfter } from './entry-at.ts'
import { entriesIn, rewound, type Rewound } from './rewound.ts'
import type { Entry, EntryOf, Seq } from './entry.ts'
import type { Chronological } from './order.ts'

/** The log as the user sees it: chronological, without what the engine made up. */
export interface History {
  entries: EntryOf<'message'>[]
  seq: Seq
  /** What each rewind left in force, oldest first. */
  rewinds: readonly Rewound[]
}

export function emptyHistory(): History {
  return { entries: [], seq: 0, rewinds: [] }
}

/** The history after the newest entry of the log, or after the entry `upTo`. */
export function historyOf(log: Chronological, upTo: Seq = Number.MAX_SAFE_INTEGER): History {
  return advanceHistory(emptyHistory(), log, upTo)
}

/** Folds in what the log holds beyond `history.seq`; in place, like {@link advanceContext}. */
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
