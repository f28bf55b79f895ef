import { baseOf } from '../../log/context/items-of.ts'
import { entriesIn, rangesAt } from '../../log/history.ts'
import { compareAndSwap } from './compare-and-swap.ts'
import { NothingToUndoError, SessionNotFoundError } from '../errors.ts'
import type { Context } from '../../log/context/context.ts'
import type { EntryOf, Entry } from '../../log/entry.ts'
import type { Chronological } from '../../log/order.ts'
import type { Internals } from '../internals.ts'
import type { Store } from '../store.ts'

// How many sessions an error message names.
const mostNamed = 5

/**
 * The newest entry of a session that must exist.
 * @throws SessionNotFoundError
 */
export async function newestOf(store: Store, session: string): Promise<Entry> {
  const [newest] = await store.read(session, { newest: 1 })
  if (newest) return newest
  const known = (await store.sessions()).slice(0, mostNamed).map(({ id }) => id)
  throw new SessionNotFoundError({ session, known })
}

/** The entries that a compaction adds to the log. */
export type CompactionEntry = EntryOf<'checkpoint'> | EntryOf<'prune'>

/**
 * Takes the newest compaction back. What was said after it stays. Of two undos at once each takes
 * another one back.
 * @throws NothingToUndoError
 */
export async function undo(session: Internals): Promise<CompactionEntry> {
  const { stored, views, options, now } = session
  const { compaction } = await compareAndSwap(session, async () => {
    const compaction = newestCompaction(stored.recent, views.context())
    if (!compaction || (await beginsSession(session, compaction))) {
      throw new NothingToUndoError({ session: options.id })
    }
    const { seq } = compaction
    const draft = { kind: 'rewind', at: now(), to: seq - 1, resume: seq + 1 } as const
    return { draft, compaction }
  })
  await session.ready()
  return compaction
}

/**
 * Whether a session came with this summary: what it says is in no message of the log, so without it
 * the words of the human would be lost and nothing would come back.
 */
async function beginsSession(
  { store, options }: Internals,
  compaction: CompactionEntry,
): Promise<boolean> {
  if (compaction.kind !== 'checkpoint') return false
  const selection = { upTo: baseOf(compaction), kinds: ['message'], newest: 1 } as const
  return (await store.read(options.id, selection)).length === 0
}

/** The newest active summary or pruning. */
function newestCompaction(log: Chronological, context: Context): CompactionEntry | undefined {
  let newest: CompactionEntry | undefined
  for (const entry of entriesIn(log, rangesAt(context.rewinds, context.seq))) {
    if (entry.kind === 'checkpoint' || entry.kind === 'prune') newest = entry
  }
  return newest
}
