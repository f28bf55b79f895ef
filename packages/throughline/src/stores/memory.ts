import { StoreConflictError } from '../session/errors.ts'
import { frozenCopy } from './frozen-copy.ts'
import type { Entry } from '../log/entry.ts'
import type { Store, StoredSession } from '../session/store.ts'

/**
 * A store that lives as long as the process: for tests, and for sessions that need no home.
 * Its entries are copies, and frozen: what a host does with its own messages does not change
 * the log.
 * @example
 * const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 200_000 } })
 */
export function memoryStore(): Store {
  // In the order in which the sessions were last written.
  const logs = new Map<string, Entry[]>()
  return {
    async append(session, drafts, condition) {
      const log = logs.get(session) ?? []
      const newest = log.length
      if (condition && condition.newest !== newest) {
        throw new StoreConflictError({ session, expected: condition.newest, newest })
      }
      const entries = drafts.map((draft, index) =>
        frozenCopy({ ...draft, seq: newest + index + 1 }),
      )
      if (entries.length === 0) return entries
      for (const entry of entries) log.push(entry)
      logs.delete(session)
      logs.set(session, log)
      return entries
    },
    async read(session, { after = 0 } = {}) {
      return (logs.get(session) ?? []).slice(after)
    },
    async sessions() {
      return [...logs]
        .map(([id, log]): StoredSession => ({ id, newest: log.length, at: log.at(-1)?.at ?? 0 }))
        .toReversed()
    },
    async remove(session) {
      logs.delete(session)
    },
  }
}
