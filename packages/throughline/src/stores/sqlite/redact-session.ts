import { checkCondition } from '../condition.ts'
import {
  appendRows,
  atOf,
  placedAt,
  placesOf,
  replacing,
  rowOfPlaced,
  type Placed,
  type Replacement,
  type Turn,
} from './entries.ts'
import { entryOf, fitted, rowOf } from './entry-rows.ts'
import { dropIndex } from './search-index.ts'
import { findSession, noteWritten } from './sessions.ts'
import { timeSlices } from '../../session/loop/pause.ts'
import type { Entry, Seq } from '../../log/entry.ts'
import type { Rewriting } from '../../session/store.ts'
import type { Connection } from './connection/reading-connection.ts'
import type { Statements } from './statements.ts'
import { adding, emptying, lastPlace, makeSegment, newestSegment, storedAt } from './segments.ts'
import { StoreFailedError } from './errors.ts'

/** Changes entries of a session and leaves nothing of their old content. */
export async function redactSession(
  connection: Connection,
  session: string,
  rewriting: Rewriting,
  { isFull, signal }: { isFull: boolean; signal: AbortSignal | undefined },
): Promise<Entry | undefined> {
  const known = rewriting.known ?? (await lookThrough(connection, session, rewriting, signal))
  const note = await connection.writeMuch(
    (statements) => rewrite(statements, session, { ...rewriting, known }, { isFull, signal }),
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
  { isFull, signal }: { isFull: boolean; signal: AbortSignal | undefined },
): Promise<Entry | undefined> {
  const found = findSession(statements, session)
  const { number, newest } = found ?? { number: 0, newest: 0 }
  const state = { newest, atOf: (seq: Seq) => found && atOf(statements, number, seq) }
  checkCondition(session, state, rewriting.condition)
  if (!found) return undefined
  const turn = timeSlices(signal)
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
  await appendRows(statements, number, [noted], turn)
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

// As many rows, or pages, as are written in a few milliseconds; and as many empty rows.
const few = 100
const many = 1_000
// Characters.
const much = 500_000

/** A segment of which this share was emptied is given up. */
const share = 1 / 4

/**
 * Returns to the disk what was removed from the store, a little at a time: others can write in
 * between, and what is interrupted is continued by the next who removes something. What a segment
 * still holds moves to the end of the newest one.
 */
async function giveBack(connection: Connection, isFull: boolean): Promise<void> {
  const turn = timeSlices()
  // On a full disk there is no room to move anything.
  if (!isFull) {
    const moved: Moved = { segment: 0, upTo: 0 }
    while (await connection.write((statements) => giveUpSome(statements, moved))) await turn()
  }
  while (await connection.write(vacuumSome)) {
    if (isFull) await connection.leaveNoTrace()
    await turn()
  }
}

/** The segment that is given up, and up to where it is empty. */
interface Moved {
  segment: number
  upTo: number
}

/** Returns whether there may be more to do. */
function giveUpSome(statements: Statements, moved: Moved): boolean {
  const segment = muchEmptied(statements)
  if (segment === undefined) return false
  if (segment === newestSegment(statements)) makeSegment(statements, segment + 1)
  if (segment !== moved.segment) Object.assign(moved, { segment, upTo: 0 })
  if (!moveSome(statements, moved)) dropSome(statements, segment)
  return true
}

function muchEmptied(statements: Statements): number | undefined {
  const rows = statements.all('SELECT number, emptied FROM segments WHERE emptied > 0')
  return rows
    .map((row) => ({ number: Number(row['number']), emptied: Number(row['emptied']) }))
    .find(({ number, emptied }) => emptied >= lastPlace(statements, number) * share)?.number
}

/** Returns whether there was anything left to move. */
function moveSome(statements: Statements, moved: Moved): boolean {
  const { segment } = moved
  const rows = statements.all(
    `SELECT place FROM segment_${segment} WHERE place > ? AND session <> 0
     ORDER BY place LIMIT ${few}`,
    moved.upTo,
  )
  const { empty, count } = emptying(statements)
  const add = adding(statements)
  let characters = 0
  for (const row of rows) {
    if (characters >= much) break
    const from = { segment, place: Number(row['place']) }
    const stored = storedAt(statements, from)
    // A damaged table may be endless.
    if (!stored || from.place <= moved.upTo) throw damaged(statements)
    moved.upTo = from.place
    characters += stored.text.length
    const to = add(stored)
    empty(stored.session, [from])
    // Where no entry is known to be there, the text is kept nevertheless.
    statements.run(
      `UPDATE places SET segment = ?, place = ?
       WHERE session = ? AND seq = ? AND segment = ? AND place = ?`,
      to.segment,
      to.place,
      stored.session,
      stored.seq,
      segment,
      from.place,
    )
  }
  count()
  return rows.length > 0
}

/**
 * Everything in it is empty: SQLite may move rows now, and there is nothing on its pages to zero.
 */
function dropSome(statements: Statements, segment: number): void {
  statements.exec('PRAGMA secure_delete = FAST')
  try {
    const last = lastPlace(statements, segment)
    const gone = statements.run(`DELETE FROM segment_${segment} WHERE place > ?`, last - many)
    if (last > 0 && gone === 0) throw damaged(statements)
    if (last > many) return
    statements.exec(`DROP TABLE segment_${segment}`)
    statements.run('DELETE FROM segments WHERE number = ?', segment)
  } finally {
    statements.exec('PRAGMA secure_delete = ON')
  }
}

function damaged({ file }: Statements): StoreFailedError {
  return new StoreFailedError({ file, failure: 'damaged' })
}

/** Returns whether there is less free space than before. */
function vacuumSome(statements: Statements): boolean {
  const before = freePages(statements)
  if (before === 0) return false
  statements.exec(`PRAGMA incremental_vacuum(${few})`)
  return freePages(statements) < before
}

function freePages(statements: Statements): number {
  return Number(statements.get('PRAGMA freelist_count')?.['freelist_count'])
}
