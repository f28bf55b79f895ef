import { checkCondition } from '../condition.ts'
import { appending, atOf, placedAt, placesOf, replacing, rowOfPlaced } from './entries.ts'
import { entryOf, fitted, rowOf } from './entry-rows.ts'
import { giveBack } from './give-back.ts'
import { dropIndex } from './search-index.ts'
import { findSession, noteWritten } from './sessions.ts'
import { timeSlices } from '../../session/loop/pause.ts'
import type { Placed, Replacement, Turn } from './entries.ts'
import type { Entry, Seq } from '../../log/entry.ts'
import type { Rewriting } from '../../session/store.ts'
import type { Connection } from './connection/reading-connection.ts'
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
    for (const placed of placesOf(statements, found.number)) {
      const row = rowOfPlaced(statements, found.number, placed)
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
  await sparingly(statements, isFull, async () => {
    // The words of entries that changed are in the index, too.
    dropIndex(statements, number)
    const { replace, count } = replacing(statements, number)
    for (const { placed, by } of changed.values()) {
      replace(placed, by)
      await turn()
    }
    count()
  })
  appending(statements, number)(noted)
  noteWritten(statements, found)
  return entryOf(noted, statements.file)
}

/** An entry, and what it becomes. */
interface Changed {
  placed: Placed
  by: Replacement
}

async function changedRows(
  statements: Statements,
  number: number,
  { change, known }: Rewriting,
  turn: Turn,
): Promise<Map<Seq, Changed>> {
  const changed = new Map<Seq, Changed>()
  const { file } = statements
  const look = async (placed: Placed): Promise<void> => {
    const old = rowOfPlaced(statements, number, placed)
    const other = change(entryOf(old, file))
    if (other) {
      const { seq: _, ...draft } = other
      const row = rowOf(old.seq, draft, file)
      const inPlace = fitted(row, old)
      changed.set(old.seq, { placed, by: { row: inPlace ?? row, fits: inPlace !== undefined } })
    }
    await turn()
  }
  for (const seq of known?.seqs ?? []) {
    const placed = placedAt(statements, number, seq)
    if (placed) await look(placed)
  }
  for (const placed of placesOf(statements, number, known?.upTo ?? 0)) await look(placed)
  return changed
}

/** Returns free space to the disk, a little at a time, and empties the write-ahead log. */
export async function leaveNothing(connection: Connection, isFull: boolean): Promise<void> {
  await giveBack(connection, isFull)
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
