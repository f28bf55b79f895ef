import { timeSlices } from '../loop/pause.ts'
import { unlessOvertaken } from '../unless-overtaken.ts'
import type { Entry, EntryDraft } from '../../log/entry.ts'
import type { Internals } from '../internals.ts'

// A writer that loses this often against others gets an error.
const attempts = 50

/**
 * Appends what was decided on the log as it is, on the condition that nobody has written since; else it
 * is decided anew. So of two processes at once each one sees what the other did.
 * @throws StoreConflictError if others write faster than this can decide.
 */
export async function compareAndSwap<Decision extends { draft: EntryDraft }>(
  session: Internals,
  decide: () => Decision | Promise<Decision>,
): Promise<Decision & { entry: Entry }> {
  const { stored } = session
  return unlessOvertaken(attempts, async () => {
    const turn = timeSlices()
    await stored.sync()
    await session.ready(turn)
    const { newest } = stored
    const decision = await decide()
    const [entry] = await session.appendAfter(newest, decision.draft)
    return { ...decision, entry: entry as Entry }
  })
}
