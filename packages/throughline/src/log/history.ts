import { indexAfter } from './entry-at.ts'
import type { Entry, EntryOf, Seq } from './entry.ts'
import type { Chronological } from './order.ts'

/** The log as the user sees it: chronological, without what the engine made up. */
export interface History {
  entries: EntryOf<'message'>[]
  seq: Seq
}

export function emptyHistory(): History {
  return { entries: [], seq: 0 }
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
    if (entry.kind === 'message' && isVisible(entry)) history.entries.push(entry)
    if (entry.kind === 'rewind') rewindHistory(history, entry, log)
    history.seq = entry.seq
  }
  return history
}

function isVisible(entry: EntryOf<'message'>): boolean {
  return entry.origin !== 'synthetic' && entry.metadata?.compaction_continue !== true
}

function rewindHistory(history: History, entry: EntryOf<'rewind'>, log: Chronological): void {
  const earlier = historyOf(log, entry.to)
  if (entry.resume !== undefined) {
    earlier.seq = entry.resume - 1
    advanceHistory(earlier, log, entry.seq - 1)
  }
  history.entries = earlier.entries
}
