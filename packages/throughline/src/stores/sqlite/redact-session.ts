import { checkCondition } from '../condition.ts'
import {
  addRow,
  atOf,
  dropIndex,
  dropTables,
  entryOf,
  fitted,
  makeTables,
  replaceRow,
  rowAt,
  rowOf,
  rowsOf,
  giveBack,
} from './session-tables.ts'
import { findSession, noteSearched, noteWritten, renumberSession } from './sessions.ts'
import { timeSlices } from '../../session/loop/pause.ts'
import type { EntryRow, Turn, Unplaced } from './session-tables.ts'
import type { SessionRow } from './sessions.ts'
import type { Entry, Seq } from '../../log/entry.ts'
import type { Rewriting } from '../../session/store.ts'
import type { Connection } from './connection/connection.ts'
import type { Statements } from './statements.ts'

interface Redacting {
  isFull: boolean
  signal: AbortSignal | undefined
}

/** Changes entries of a session and leaves nothing of their old content. */
export async function redactSession(
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

/** Returns free space to the disk, a little at a time, and empties the write-ahead log. */
export async function leaveNothing(connection: Connection, isFull: boolean): Promise<void> {
  while (await connection.write(giveBack)) if (isFull) await connection.leaveNoTrace()
  await connection.leaveNoTrace()
}

/**
 * On a full disk, freed pages are not written once more to zero them: the file gets shorter until
 * there are none.
 */
export async function sparingly(
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
