import { draftOf, type Entry } from '../../../log/entry.ts'
import { inStore } from '../../store/open-store.ts'
import { whileWriting } from '../../terminal/while-showing.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { CompactedLog } from '../../../session/once/compact-log.ts'
import type { SessionInput } from '../../source/read-input.ts'
import type { Io } from '../../io.ts'

/** What a compaction has added to the log of its session. */
export function addedTo({ log }: Pick<SessionInput, 'log'>, result: CompactedLog): Entry[] {
  return result.log.slice(log.length)
}

/**
 * Appends a compaction to the stored session that it was made of; a session from a file is left
 * as it is.
 * @throws StoreConflictError, SessionRemovedError if somebody has changed it meanwhile.
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
    whileWriting(io, `storing the compaction of ${name}`, () =>
      store.append(stored, drafts, { newest: seq, holds: { seq, at } }),
    ),
  )
}
