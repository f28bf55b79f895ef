import { entriesIn, rangesAt } from '../../log/history.ts'
import type { Context } from '../../log/context.ts'
import type { EntryOf } from '../../log/entry.ts'
import type { Chronological } from '../../log/order.ts'

/** What a compaction leaves in the log. */
export type CompactionEntry = EntryOf<'checkpoint'> | EntryOf<'prune'>

/** The newest summary or pruning that is in force. */
export function newestCompaction(
  log: Chronological,
  context: Context,
): CompactionEntry | undefined {
  let newest: CompactionEntry | undefined
  for (const entry of entriesIn(log, rangesAt(context.rewinds, context.seq))) {
    if (entry.kind === 'checkpoint' || entry.kind === 'prune') newest = entry
  }
  return newest
}
