import { connect, type Connection } from './connection.ts'
import { searchIndex } from './search-index.ts'
import { selectEntries } from './select-entries.ts'
import {
  listSessions,
  deleteSession,
  findSession,
  addSession,
  noteWritten,
  type SessionRow,
  renumberSession,
} from './sessions.ts'
import type { Store, AppendCondition, Rewriting } from '../../session/store.ts'
import {
  dropTables,
  addRow,
  atOf,
  makeTables,
  rowsOf,
  rowOf,
  entryOf,
  type EntryRow,
} from './session-tables.ts'
import { checkCondition } from '../condition.ts'
import { readBack } from './payload.ts'
import type { Entry, EntryDraft, Seq } from '../../log/entry.ts'
import type { Statements } from './statements.ts'

/** Where a store is, and how durable its writes are. */
export interface SqliteStoreOptions {
  /**
   * The path of the file; it is created if it doesn't exist. `:memory:` lives as long as the
   * process.
   */
  file: string
  /** `full` also survives a power loss; `normal`, the default, survives any end of the process. */
  synchronous?: 'normal' | 'full'
  /** How long to wait for another process that is writing, in milliseconds; 5,000 by default. */
  busyTimeout?: number
}

/** A store in a file. Close it when it is no longer needed. */
export interface SqliteStore extends Store, Disposable {
  readonly file: string
  close: () => void
}

/**
 * Sessions in one SQLite file, through Node's own SQLite. Any number of processes may use it at the
 * same time. Entries that `append` has returned survive any end of the process.
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

/** Deletes a session and leaves nothing of it. */
function removeSession(connection: Connection, session: string): void {
  connection.write((statements) => {
    const found = findSession(statements, session)
    if (!found) return
    dropTables(statements, found.number)
    deleteSession(statements, found.number)
  })
  // Even if there was none: an earlier removal may have been interrupted here.
  connection.leaveNoTrace()
}

/** Appends all drafts to a session, or none. */
function appendEntries(
  connection: Connection,
  session: string,
  drafts: readonly EntryDraft[],
  condition: AppendCondition | undefined,
): Entry[] {
  // Encoded before the lock is taken, so that others wait only for the write itself.
  const made = drafts.map((draft, index) => rowOf(index + 1, draft, connection.file))
  const rows = connection.write((statements) => {
    const found = findSession(statements, session)
    checkCondition(
      session,
      {
        newest: found?.newest ?? 0,
        atOf: (seq) => found && atOf(statements, found.number, seq),
      },
      condition,
    )
    if (drafts.length === 0) return []
    const stored = found ?? newSession(statements, session)
    const placed = made.map((row) => ({ ...row, seq: stored.newest + row.seq }))
    for (const row of placed) addRow(statements, stored.number, row)
    noteWritten(statements, stored)
    return placed
  })
  // The result is exactly what will be read later, and shares nothing with the caller's objects.
  return rows.map(({ text, seq }, index) => readBack(drafts[index] as EntryDraft, text, seq))
}

function newSession(statements: Statements, session: string): SessionRow {
  const added = addSession(statements, session)
  makeTables(statements, added.number)
  return added
}

/** Changes entries of a session and leaves nothing of their old content. */
function redactSession(
  connection: Connection,
  session: string,
  rewriting: Rewriting,
): Entry | undefined {
  const note = connection.write((statements) => rewrite(statements, session, rewriting))
  // Even if nothing changed: an earlier redaction may have been interrupted here.
  connection.leaveNoTrace()
  return note
}

function rewrite(
  statements: Statements,
  session: string,
  { change, note }: Rewriting,
): Entry | undefined {
  const found = findSession(statements, session)
  const changed = found && changedRows(statements, found.number, change)
  if (!changed || changed.size === 0) return undefined
  const draft = note([...changed.keys()])
  const { file } = statements
  const noted = rowOf(found.newest + 1, draft, file)
  const number = renumberSession(statements, found.number)
  makeTables(statements, number)
  for (const row of rowsOf(statements, found.number)) {
    addRow(statements, number, changed.get(row.seq) ?? row)
  }
  addRow(statements, number, noted)
  noteWritten(statements, { ...found, number })
  dropTables(statements, found.number)
  return entryOf(noted, file)
}

function changedRows(
  statements: Statements,
  number: number,
  change: Rewriting['change'],
): Map<Seq, EntryRow> {
  const changed = new Map<Seq, EntryRow>()
  for (const row of rowsOf(statements, number)) {
    const other = change(entryOf(row, statements.file))
    if (!other) continue
    const { seq: _, ...draft } = other
    changed.set(row.seq, rowOf(row.seq, draft, statements.file))
  }
  return changed
}
