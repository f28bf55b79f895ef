import { SessionNotFoundError } from '../errors.ts'
import type { Entry } from '../../log/entry.ts'
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
