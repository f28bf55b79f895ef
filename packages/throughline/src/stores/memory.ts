import { StoreConflictError } from '../session/errors.ts'
import type { Entry } from '../log/entry.ts'
import type { Store, StoredSession } from '../session/store.ts'

/**
 * A store that lives as long as the process: for tests, and for sessions that need no home.
 * @example
 * const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 200_000 } })
 */
export function memoryStore(): Store {
  const logs = new Map<string, Entry[]>()
  return {
    async append(session, drafts, condition) {
      const log = logs.get(session) ?? []
      const newest = log.length
      if (condition && condition.newest !== newest) {
        throw new StoreConflictError({ session, expected: condition.newest, newest })
      }
      const entries = drafts.map((draft, index) => ({ ...draft, seq: newest + index + 1 }))
      log.push(...entries)
      if (entries.length > 0) logs.set(session, log)
      return entries
    },
    async read(session, { after = 0 } = {}) {
      return (logs.get(session) ?? []).slice(after)
    },
    async sessions() {
      return [...logs]
        .map(([id, log]): StoredSession => ({ id, newest: log.length, at: log.at(-1)?.at ?? 0 }))
        .sort((a, b) => b.at - a.at)
    },
    async remove(session) {
      logs.delete(session)
    },
  }
}
