import { checkCondition } from '../condition.ts'
import { connect } from './connection/connection.ts'
import type { Connection } from './connection/reading-connection.ts'
import { appendRows, atOf, removeEntries } from './entries.ts'
import { rowWithCopy } from './entry-rows.ts'
import { leaveNothing, sparingly, redactSession } from './redact-session.ts'
import { dropIndex, searchIndex } from './search-index.ts'
import { selectEntries } from './select-entries.ts'
import { addSession, deleteSession, findSession, listSessions, noteWritten } from './sessions.ts'
import { timeSlices } from '../../session/loop/pause.ts'
import type { Entry, EntryDraft, Seq } from '../../log/entry.ts'
import type { AppendCondition, Store } from '../../session/store.ts'

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
  /** The seq of a session’s newest entry, without reading it; 0 for a session that doesn’t exist. */
  newest: (session: string) => Promise<Seq>
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

export function storeOver(connection: Connection, file: string): SqliteStore {
  return {
    file,
    append: (session, drafts, condition, { signal } = {}) =>
      appendEntries(connection, { session, drafts, condition, signal }),
    read: (session, selection = {}, { signal } = {}) =>
      connection.read(
        (statements) => selectEntries(statements, session, selection, timeSlices(signal)),
        signal,
      ),
    newest: (session) =>
      connection.look((statements) => findSession(statements, session)?.newest ?? 0),
    search: (session, search, { signal } = {}) => searchIndex(connection, session, search, signal),
    sessions: ({ signal } = {}) =>
      connection.read((statements) => listSessions(statements, timeSlices(signal)), signal),
    redact: (session, rewriting, { signal } = {}) =>
      connection.evenIfFull((isFull) =>
        redactSession(connection, session, rewriting, { isFull, signal }),
      ),
    remove: (session) =>
      connection.evenIfFull((isFull) => removeSession(connection, session, isFull)),
    close: () => connection.close(),
    [Symbol.dispose]: () => connection.close(),
  }
}

/** Deletes a session and leaves nothing of it. */
async function removeSession(
  connection: Connection,
  session: string,
  isFull: boolean,
): Promise<void> {
  await connection.writeMuch(async (statements) => {
    const found = findSession(statements, session)
    if (!found) return
    await sparingly(statements, isFull, async () => {
      dropIndex(statements, found.number)
      await removeEntries(statements, found.number, timeSlices())
    })
    deleteSession(statements, found.number)
  })
  // Even if there was none: an earlier removal may have been interrupted here.
  await leaveNothing(connection, isFull)
}

// Characters.
const much = 1_000_000

interface Append {
  session: string
  drafts: readonly EntryDraft[]
  condition: AppendCondition | undefined
  signal: AbortSignal | undefined
}

/** Appends all drafts to a session, or none. */
async function appendEntries(
  connection: Connection,
  { session, drafts, condition, signal }: Append,
): Promise<Entry[]> {
  const turn = timeSlices(signal)
  // Encoded before the lock is taken, so that others wait only for the write itself.
  const made: ReturnType<typeof rowWithCopy>[] = []
  let characters = 0
  for (const draft of drafts) {
    const one = rowWithCopy(made.length + 1, draft, connection.file)
    made.push(one)
    characters += one.row.text.length
    await turn()
  }
  const write: Connection['write'] = (work, until) =>
    characters > much ? connection.writeMuch(work, until) : connection.write(work, until)
  const before = await write<Seq>(async (statements) => {
    const found = findSession(statements, session)
    checkCondition(
      session,
      {
        newest: found?.newest ?? 0,
        atOf: (seq) => found && atOf(statements, found.number, seq),
      },
      condition,
    )
    if (made.length === 0) return found?.newest ?? 0
    const stored = found ?? addSession(statements, session)
    noteWritten(statements, stored)
    const rows = made.map(({ row }) => ({ ...row, seq: stored.newest + row.seq }))
    await appendRows(statements, stored.number, rows, turn)
    return stored.newest
  }, signal)
  // The result is exactly what will be read later, and shares nothing with the caller's objects.
  const entries: Entry[] = []
  // It is written: nobody can stop that any more.
  const rest = timeSlices()
  for (const { row, entry } of made) {
    entries.push(entry(before + row.seq))
    await rest()
  }
  return entries
}
