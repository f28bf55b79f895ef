import { newestOf } from '../../session/operations/undo.ts'
import { chronological } from '../../log/order.ts'
import { addFacts, formatOf, type StoredFacts } from './facts.ts'
import type { Store } from '../../session/store.ts'
import type { SessionRead } from '../reading/read-session.ts'

/**
 * A stored session, in the same form in which {@link readSession} returns one from a file,
 * including what its import noted.
 * @throws SessionNotFoundError
 */
export async function readStored(
  store: Store,
  id: string,
): Promise<SessionRead & { facts: StoredFacts }> {
  const { seq: upTo } = await newestOf(store, id)
  const log = await store.read(id, { upTo })
  const facts: StoredFacts = {}
  for (const entry of log) addFacts(facts, entry)
  return { format: formatOf(facts), facts, log: chronological(log), skipped: [], skippedCount: 0 }
}
