import { draftOf, type Entry } from '../../../log/entry.ts'
import { inStore } from '../../store/open-store.ts'
import { whileWriting } from '../../terminal/while-showing.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { CompactedLog } from '../../../session/once/compact-log.ts'
import type { SessionInput } from '../../source/read-input.ts'
import type { Io } from '../../io.ts'

/** The entries that a compaction added to the log of its session. */
export function addedTo({ log }: Pick<SessionInput, 'log'>, result: CompactedLog): Entry[] {
  return result.log.slice(log.length)
}

/**
 * Saves a compaction in its stored session; a session from a file is left unchanged.
 * @throws StoreConflictError, SessionRemovedError if someone has changed it in the meantime.
 */
export async function commit(
  session: SessionInput,
  result: CompactedLog,
  configuration: Configuration,
  io: Io,
): Promise<void> {
  const { stored, log, name } = session
  const drafts = addedTo(session, result).map(draftOf)
  const newest = log.at(-1)
  if (stored === undefined || newest === undefined || drafts.length === 0) return
  const { seq, at } = newest
  await inStore(configuration, io, (store) =>
    whileWriting(io, `saving the compaction of ${name}`, () =>
      store.append(stored, drafts, { newest: seq, holds: { seq, at } }),
    ),
  )
}
