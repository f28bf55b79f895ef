import { SessionNotFoundError } from '../../session/errors.ts'
import { chronological } from '../../log/order.ts'
import { throughline } from '../throughline/format.ts'
import { addFacts, type StoredFacts } from './facts.ts'
import type { Store } from '../../session/store.ts'
import type { SessionRead } from '../read-session.ts'

/**
 * A session of a store, as {@link readSession} reads one from a file: with what its import noted.
 * @throws SessionNotFoundError
 */
export async function readStored(
  store: Store,
  id: string,
): Promise<SessionRead & { facts: StoredFacts }> {
  const log = await store.read(id)
  if (log.length === 0) throw new SessionNotFoundError({ session: id })
  const facts: StoredFacts = {}
  for (const entry of log) addFacts(facts, entry)
  const { format = throughline.name } = facts
  return { format, facts, log: chronological(log), skipped: [], skippedCount: 0 }
}
