import { checkCondition } from '../condition.ts'
import { Connection } from './connection.ts'
import { StoreFailedError } from './errors.ts'
import { overwriteEntries } from './overwrite.ts'
import { decodeEntry, encodeEntry } from './payload.ts'
import { dropIndex, searchIndex } from './search-index.ts'
import { selectEntries } from './select-entries.ts'
import type { Entry, EntryDraft, Seq } from '../../log/entry.ts'
import type { AppendCondition, Rewriting, Store, StoredSession } from '../../session/store.ts'

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
  const connection = new Connection(file, { synchronous, busyTimeout })
  return {
    file,
    append: async (session, drafts, condition) => append(connection, session, drafts, condition),
    read: async (session, selection = {}) => selectEntries(connection, session, selection),
    search: async (session, search) => searchIndex(connection, session, search),
    sessions: async () => listSessions(connection),
    redact: async (session, rewriting) => redact(connection, session, rewriting),
    remove: async (session) => remove(connection, session),
    close: () => connection.close(),
    [Symbol.dispose]: () => connection.close(),
  }
}

function append(
  connection: Connection,
  session: string,
  drafts: readonly EntryDraft[],
  condition: AppendCondition | undefined,
): Entry[] {
  if (drafts.length === 0 && !condition) return []
  // Encoded before the lock is taken: others wait no longer than the writing takes.
  const texts = drafts.map(encodeEntry)
  return connection.write(() => {
    const state = stateOf(connection, session)
    const newest = state?.newest ?? 0
    checkCondition(session, newest, condition)
    if (drafts.length === 0) return []
    const id = state?.id ?? newSession(connection, session)
    return drafts.map((draft, index) => {
      const text = texts[index] as string
      const seq = newest + index + 1
      insert(connection, id, seq, draft, text)
      // What is answered is what will be read, and shares nothing with what the caller holds.
      return decodeEntry(text, seq)
    })
  })
}

function insert(
  connection: Connection,
  id: number,
  seq: Seq,
  { kind, at }: EntryDraft,
  text: string,
): void {
  connection.run(
    'INSERT INTO entries (session, seq, kind, at, entry) VALUES (?, ?, ?, ?, ?)',
    id,
    seq,
    kind,
    Number.isFinite(at) ? at : 0,
    text,
  )
}

function stateOf(connection: Connection, session: string): { id: number; newest: Seq } | undefined {
  const row = connection.get(
    `SELECT id, (SELECT max(seq) FROM entries WHERE session = sessions.id) AS newest
     FROM sessions WHERE name = ?`,
    nameOf(session),
  )
  return row && { id: Number(row['id']), newest: Number(row['newest']) }
}

/** As JSON, like the entries: a name may hold whatever a text may. */
function nameOf(session: string): string {
  return JSON.stringify(session)
}

function newSession(connection: Connection, session: string): number {
  const row = connection.get('INSERT INTO sessions (name) VALUES (?) RETURNING id', nameOf(session))
  return Number(row?.['id'])
}

/** Entries are numbered in the order in which they are written, whichever session they are of. */
function listSessions(connection: Connection): StoredSession[] {
  const rows = connection.all(
    `SELECT name, seq, at FROM sessions JOIN entries ON entries.id = (
       SELECT id FROM entries WHERE session = sessions.id ORDER BY seq DESC LIMIT 1
     ) ORDER BY entries.id DESC`,
  )
  return rows.map(({ name, seq, at }) => ({
    id: JSON.parse(String(name)) as string,
    newest: Number(seq),
    at: Number(at),
  }))
}

function redact(
  connection: Connection,
  session: string,
  { change, note }: Rewriting,
): Entry | undefined {
  const noted = connection.write(() => {
    const state = stateOf(connection, session)
    if (!state) return undefined
    const changed = overwriteEntries(connection, state.id, change)
    if (changed.length === 0) return undefined
    const draft = note(changed)
    const [text, seq] = [encodeEntry(draft), state.newest + 1]
    insert(connection, state.id, seq, draft, text)
    dropIndex(connection, state.id)
    return decodeEntry(text, seq)
  })
  // Also where nothing was changed: an earlier redaction may have been interrupted here.
  leaveNoTrace(connection)
  return noted
}

function remove(connection: Connection, session: string): void {
  connection.write(() => {
    const state = stateOf(connection, session)
    if (!state) return
    dropIndex(connection, state.id)
    connection.run('DELETE FROM entries WHERE session = ?', state.id)
    connection.run('DELETE FROM sessions WHERE id = ?', state.id)
  })
  connection.exec('PRAGMA incremental_vacuum')
  leaveNoTrace(connection)
}

/**
 * Empties the write-ahead log, in which old pages stand until then.
 * @throws StoreFailedError if somebody has been reading from it all the while.
 */
function leaveNoTrace(connection: Connection): void {
  const result = connection.get('PRAGMA wal_checkpoint(TRUNCATE)')
  if (Number(result?.['busy']) !== 0) {
    throw new StoreFailedError({ file: connection.file, failure: 'log-in-use' })
  }
}
