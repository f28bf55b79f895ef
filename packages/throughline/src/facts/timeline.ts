import { indexAfter, type Chronological } from '../log/order.ts'
import { entriesIn, rangesAt, rewound, type Rewound } from '../log/history.ts'
import type { Entry, EntryOf, Seq } from '../log/entry.ts'

/** The entries that the facts read: messages that somebody said, and checkpoints. */
export type Told = EntryOf<'message'> | EntryOf<'checkpoint'>

/** The entries that count up to an entry, in order, after every rewind on the way. */
export function toldUpTo(log: Chronological, seq: Seq): Told[] {
  const rewinds: Rewound[] = []
  for (const entry of log.slice(0, indexAfter(log, seq))) {
    if (entry.kind === 'rewind') rewinds.push(rewound(rewinds, entry))
  }
  return [...entriesIn(log, rangesAt(rewinds, seq))].filter(isTold)
}

/** Whether an entry counts; those that the engine made up don't. */
export function isTold(entry: Entry): entry is Told {
  if (entry.kind === 'checkpoint') return true
  return (
    entry.kind === 'message' &&
    entry.origin !== 'synthetic' &&
    entry.metadata?.compaction_continue !== true
  )
}
