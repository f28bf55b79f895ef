import { entriesIn, rangesAt } from '../../log/history.ts'
import { NothingToUndoError } from '../errors.ts'
import type { Context } from '../../log/context.ts'
import type { EntryOf } from '../../log/entry.ts'
import type { Chronological } from '../../log/order.ts'
import type { Internals } from '../internals.ts'

/** The entries that a compaction adds to the log. */
export type CompactionEntry = EntryOf<'checkpoint'> | EntryOf<'prune'>

/**
 * Takes the newest compaction back. What was said after it stays.
 * @throws NothingToUndoError
 */
export async function undo(session: Internals): Promise<CompactionEntry> {
  const { stored, views, options, now } = session
  await stored.sync()
  const compaction = newestCompaction(stored.recent, views.context())
  if (!compaction) throw new NothingToUndoError({ session: options.id })
  const { seq } = compaction
  await session.append({ kind: 'rewind', at: now(), to: seq - 1, resume: seq + 1 })
  return compaction
}

/** The newest active summary or pruning. */
function newestCompaction(log: Chronological, context: Context): CompactionEntry | undefined {
  let newest: CompactionEntry | undefined
  for (const entry of entriesIn(log, rangesAt(context.rewinds, context.seq))) {
    if (entry.kind === 'checkpoint' || entry.kind === 'prune') newest = entry
  }
  return newest
}
