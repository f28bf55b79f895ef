import { checkCondition } from '../condition.ts'
import { connect, type Connection } from './connection.ts'
import { readBack } from './payload.ts'
import { searchIndex } from './search-index.ts'
import { selectEntries } from './select-entries.ts'
import {
  addRow,
  atOf,
  dropIndex,
  dropTables,
  entryOf,
  fitted,
  giveBack,
  makeTables,
  replaceRow,
  rowAt,
  rowOf,
  rowsOf,
  type EntryRow,
  type Turn,
  type Unplaced,
} from './session-tables.ts'
import {
  addSession,
  deleteSession,
  findSession,
  listSessions,
  noteSearched,
  noteWritten,
  renumberSession,
  type SessionRow,
} from './sessions.ts'
import { timeSlices } from '../../session/loop/pause.ts'
import type { Entry, EntryDraft, Seq } from '../../log/entry.ts'
import type { AppendCondition, Rewriting, Store } from '../../session/store.ts'
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
    append: (session, drafts, condition, { signal } = {}) =>
      appendEntries(connection, { session, drafts, condition, signal }),
    read: (session, selection = {}, { signal } = {}) =>
      connection.read(
        (statements) => selectEntries(statements, session, selection, timeSlices(signal)),
        signal,
      ),
    search: (session, search, { signal } = {}) => searchIndex(connection, session, search, signal),
    sessions: ({ signal } = {}) => connection.read(listSessions, signal),
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
    await sparingly(statements, isFull, () => dropTables(statements, found.number, timeSlices()))
    deleteSession(statements, found.number)
  })
  // Even if there was none: an earlier removal may have been interrupted here.
  await leaveNothing(connection, isFull)
}

/** Returns free space to the disk, a little at a time, and empties the write-ahead log. */
async function leaveNothing(connection: Connection, isFull: boolean): Promise<void> {
  while (await connection.write(giveBack)) if (isFull) await connection.leaveNoTrace()
  await connection.leaveNoTrace()
}

/**
 * On a full disk, freed pages are not written once more to zero them: the file gets shorter until
 * there are none.
 */
async function sparingly(
  statements: Statements,
  isFull: boolean,
  work: () => Promise<void>,
): Promise<void> {
  if (!isFull) return work()
  statements.exec('PRAGMA secure_delete = FAST')
  try {
    await work()
  } finally {
    statements.exec('PRAGMA secure_delete = ON')
  }
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
  const made: Unplaced[] = []
  let characters = 0
  for (const draft of drafts) {
    const row = rowOf(made.length + 1, draft, connection.file)
    made.push(row)
    characters += row.text.length
    await turn()
  }
  const write = characters > much ? connection.writeMuch : connection.write
  const rows = await write.call(
    connection,
    async (statements) => {
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
      for (const row of placed) {
        addRow(statements, stored.number, row)
        await turn()
      }
      noteWritten(statements, stored)
      return placed
    },
    signal,
  )
  // The result is exactly what will be read later, and shares nothing with the caller's objects.
  const entries: Entry[] = []
  // It is written: nobody can stop that any more.
  const rest = timeSlices()
  for (const [index, { text, seq }] of rows.entries()) {
    entries.push(readBack(drafts[index] as EntryDraft, text, seq))
    await rest()
  }
  return entries
}

function newSession(statements: Statements, session: string): SessionRow {
  const added = addSession(statements, session)
  makeTables(statements, added.number)
  return added
}

interface Redacting {
  isFull: boolean
  signal: AbortSignal | undefined
}

/** Changes entries of a session and leaves nothing of their old content. */
async function redactSession(
  connection: Connection,
  session: string,
  rewriting: Rewriting,
  { isFull, signal }: Redacting,
): Promise<Entry | undefined> {
  const known = rewriting.known ?? (await lookThrough(connection, session, rewriting, signal))
  const note = await connection.writeMuch(
    (statements) => rewrite(statements, session, { ...rewriting, known }, isFull),
    signal,
  )
  // Even if nothing changed: an earlier redaction may have been interrupted here.
  await leaveNothing(connection, isFull)
  return note
}

/** Which entries have to change; others may write in the meantime. */
async function lookThrough(
  connection: Connection,
  session: string,
  { change }: Rewriting,
  signal: AbortSignal | undefined,
): Promise<NonNullable<Rewriting['known']>> {
  const turn = timeSlices(signal)
  return connection.read(async (statements) => {
    const found = findSession(statements, session)
    const seqs: Seq[] = []
    if (!found) return { upTo: 0, seqs }
    for (const row of rowsOf(statements, found.number)) {
      if (change(entryOf(row, statements.file))) seqs.push(row.seq)
      await turn()
    }
    return { upTo: found.newest, seqs }
  }, signal)
}

async function rewrite(
  statements: Statements,
  session: string,
  rewriting: Rewriting,
  isFull: boolean,
): Promise<Entry | undefined> {
  const found = findSession(statements, session)
  const { number, newest } = found ?? { number: 0, newest: 0 }
  const state = { newest, atOf: (seq: Seq) => found && atOf(statements, number, seq) }
  checkCondition(session, state, rewriting.condition)
  if (!found) return undefined
  const turn = timeSlices()
  const changed = await changedRows(statements, number, rewriting, turn)
  if (changed.size === 0) return undefined
  const noted = rowOf(newest + 1, rewriting.note([...changed.keys()]), statements.file)
  const all = [...changed.values()]
  if (all.every(({ inPlace }) => inPlace)) {
    for (const { inPlace } of all) {
      replaceRow(statements, number, inPlace as Unplaced)
      await turn()
    }
    await sparingly(statements, isFull, async () => forgetSearches(statements, found))
    addRow(statements, number, noted)
    noteWritten(statements, found)
  } else {
    await copyChanged(statements, session, found, { changed, noted, turn })
  }
  return entryOf(noted, statements.file)
}

/** An entry as it will be; `inPlace` if it takes as much room as before. */
interface Changed {
  row: Unplaced
  inPlace: Unplaced | undefined
}

async function changedRows(
  statements: Statements,
  number: number,
  { change, known }: Rewriting,
  turn: Turn,
): Promise<Map<Seq, Changed>> {
  const changed = new Map<Seq, Changed>()
  const { file } = statements
  const look = async (old: EntryRow): Promise<void> => {
    const other = change(entryOf(old, file))
    if (other) {
      const { seq: _, ...draft } = other
      const row = rowOf(old.seq, draft, file)
      changed.set(old.seq, { row, inPlace: fitted(row, old) })
    }
    await turn()
  }
  for (const seq of known?.seqs ?? []) {
    const row = rowAt(statements, number, seq)
    if (row) await look(row)
  }
  for (const row of rowsOf(statements, number, known?.upTo ?? 0)) await look(row)
  return changed
}

/** The words of entries that changed are in the index, too. */
function forgetSearches(statements: Statements, { number, searched }: SessionRow): void {
  if (searched === 0) return
  noteSearched(statements, number, 0)
  dropIndex(statements, number)
}

interface Copying {
  changed: ReadonlyMap<Seq, Changed>
  noted: Unplaced
  turn: Turn
}

/**
 * Writes all entries into new tables. SQLite would move rows that grow, and leave copies of others
 * behind.
 */
async function copyChanged(
  statements: Statements,
  session: string,
  found: SessionRow,
  { changed, noted, turn }: Copying,
): Promise<void> {
  const number = renumberSession(statements, session, found.number)
  makeTables(statements, number)
  for (const row of rowsOf(statements, found.number)) {
    addRow(statements, number, changed.get(row.seq)?.row ?? row)
    await turn()
  }
  addRow(statements, number, noted)
  noteWritten(statements, { ...found, number })
  await dropTables(statements, found.number, turn)
}
