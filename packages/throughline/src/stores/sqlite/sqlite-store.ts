import { appendEntries } from './append-entries.ts'
import { connect, type Connection } from './connection.ts'
import { redactSession } from './redact-session.ts'
import { removeSession } from './remove-session.ts'
import { searchIndex } from './search-index.ts'
import { selectEntries } from './select-entries.ts'
import { listSessions } from './sessions.ts'
import type { Store } from '../../session/store.ts'

/** Where a store is, and how careful it is. */
export interface SqliteStoreOptions {
  /** The path of the file; it is made if there is none. `:memory:` lives as long as the process. */
  file: string
  /** `full` survives a power loss too; `normal`, the default, every end of the process. */
  synchronous?: 'normal' | 'full'
  /** How long to wait for another process that writes, in milliseconds; 5,000 by default. */
  busyTimeout?: number
}

/** A store in a file. Close it when it is no longer needed. */
export interface SqliteStore extends Store, Disposable {
  readonly file: string
  close: () => void
}

/**
 * Sessions in one SQLite file, through Node's own SQLite. Any number of processes may use it at
 * the same time; what `append` has answered is there after any end of the process.
 * @throws NotAStoreError, StoreVersionError, StoreFailedError, SqliteMissingError
 * @example
 * using store = sqliteStore({ file: 'sessions.db' })
 * const session = await openSession({ store, id: 'a', window: { context: 200_000 } })
 */
export function sqliteStore({
  file,
  synchronous = 'normal',
  busyTimeout = 5_000,
}: SqliteStoreOptions): SqliteStore {
  return storeOver(connect(file, { synchronous, busyTimeout }), file)
}

/** The store over an open connection. */
export function storeOver(connection: Connection, file: string): SqliteStore {
  return {
    file,
    append: async (session, drafts, condition) =>
      appendEntries(connection, session, drafts, condition),
    read: async (session, selection = {}) =>
      connection.read((statements) => selectEntries(statements, session, selection)),
    search: async (session, search) => searchIndex(connection, session, search),
    sessions: async () => connection.read(listSessions),
    redact: async (session, rewriting) => redactSession(connection, session, rewriting),
    remove: async (session) => removeSession(connection, session),
    close: () => connection.close(),
    [Symbol.dispose]: () => connection.close(),
  }
}
