import { indexAfter, type Chronological } from '../log/order.ts'
import { entriesIn, rangesAt, rewound, type Rewound } from '../log/history.ts'
import type { Entry, EntryOf, Seq } from '../log/entry.ts'

/** What the facts read of a log: messages that somebody said, and checkpoints. */
export type Told = EntryOf<'message'> | EntryOf<'checkpoint'>

/** What was told up to an entry, in order, after every rewind on the way. */
export function toldUpTo(log: Chronological, seq: Seq): Told[] {
  const rewinds: Rewound[] = []
  for (const entry of log.slice(0, indexAfter(log, seq))) {
    if (entry.kind === 'rewind') rewinds.push(rewound(rewinds, entry))
  }
  return [...entriesIn(log, rangesAt(rewinds, seq))].filter(isTold)
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
