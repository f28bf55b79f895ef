import { checksumOf, damagedEntry, type EntryRow } from './entry-rows.ts'
import { StoreFailedError } from './errors.ts'
import { adding, emptying, nextPlaces, putOver, textAt, type Place } from './segments.ts'
import type { Seq } from '../../log/entry.ts'
import type { Row, Statements } from './statements.ts'

/** An entry and where its text is. The table of places is in the order of sessions and seqs. */
export interface Placed extends Omit<EntryRow, 'text'>, Place {}

/** What is read of the table of places. */
export const columns = 'seq, kind, at, segment, place'

export function placedOf(row: Row): Placed {
  return {
    seq: Number(row['seq']),
    kind: String(row['kind']),
    at: Number(row['at']),
    segment: Number(row['segment']),
    place: Number(row['place']),
  }
}

/**
 * Appends rows to a session: all places first, then all texts. SQLite writes pages before the commit
 * once it has no more room for them. If one of these changes again, as pages of places do, the commit
 * reads and sums up all that was written after it, and stops this process for so long.
 */
export async function appendRows(
  statements: Statements,
  session: number,
  rows: readonly EntryRow[],
  turn: Turn,
): Promise<void> {
  const places = nextPlaces(statements)
  for (const row of rows) {
    const { segment, place } = places.next().value
    statements.run(
      'INSERT INTO places (session, seq, kind, at, segment, place) VALUES (?, ?, ?, ?, ?, ?)',
      session,
      row.seq,
      row.kind,
      row.at,
      segment,
      place,
    )
    await turn()
  }
  const add = adding(statements)
  for (const row of rows) {
    add({ ...row, session, checksum: checksumOf(session, row) })
    await turn()
  }
}

/**
 * The row of an entry.
 * @throws StoreFailedError if it isn't what was stored.
 */
export function rowOfPlaced(statements: Statements, session: number, placed: Placed): EntryRow {
  const stored = textAt(statements, placed)
  if (!stored) throw damagedEntry(statements.file, placed.seq, 'is missing')
  const read: EntryRow = { seq: placed.seq, kind: placed.kind, at: placed.at, text: stored.text }
  if (stored.checksum === checksumOf(session, read)) return read
  throw damagedEntry(statements.file, placed.seq, 'is not what was stored')
}

/** @throws StoreFailedError if it is not what was stored. */
export function placedAt(statements: Statements, session: number, seq: Seq): Placed | undefined {
  const row = statements.get(
    `SELECT ${columns} FROM places WHERE session = ? AND seq = ?`,
    session,
    seq,
  )
  return row && placedOf(row)
}

/** The newest entry of a session; every session has one. */
export function newestOf(statements: Statements, session: number): { seq: Seq; at: number } {
  const row = statements.get(
    'SELECT seq, at FROM places WHERE session = ? ORDER BY seq DESC LIMIT 1',
    session,
  )
  const [seq, at] = [Number(row?.['seq']), Number(row?.['at'])]
  if (!row || !(seq > 0) || Number.isNaN(at))
    throw new StoreFailedError({ file: statements.file, failure: 'damaged' })
  return { seq, at }
}

/** When an entry was made; `undefined` if there is none. */
export function atOf(statements: Statements, session: number, seq: Seq): number | undefined {
  return placedAt(statements, session, seq)?.at
}

/**
 * All entries of a session in order, one at a time.
 * @throws StoreFailedError
 */
export function* placesOf(
  statements: Statements,
  session: number,
  after: Seq = 0,
): Generator<Placed> {
  for (let seq = after; ;) {
    const row = statements.get(
      `SELECT ${columns} FROM places WHERE session = ? AND seq > ? ORDER BY seq LIMIT 1`,
      session,
      seq,
    )
    if (!row) return
    const placed = placedOf(row)
    // A damaged table may be endless.
    if (placed.seq <= seq) throw new StoreFailedError({ file: statements.file, failure: 'damaged' })
    yield placed
    seq = placed.seq
  }
}

/** A row that takes the place of another one. */
export interface Replacement {
  row: EntryRow
  /** It takes as many bytes as before. */
  fits: boolean
}

/**
 * Replaces entries one by one. One that takes other room is emptied where it was, and comes to the
 * end.
 */
export function replacing(
  statements: Statements,
  session: number,
): { replace: (placed: Placed, by: Replacement) => void; count: () => void } {
  const { empty, count } = emptying(statements)
  const add = adding(statements)
  const replace = (placed: Placed, { row, fits }: Replacement): void => {
    const stored = { ...row, session, checksum: checksumOf(session, row) }
    const { segment, place } = fits ? placed : add(stored)
    const was = fits ? putOver(statements, placed, stored) : empty(session, [placed])
    if (!was) throw damagedEntry(statements.file, row.seq, 'is not where it was stored')
    statements.run(
      'UPDATE places SET kind = ?, at = ?, segment = ?, place = ? WHERE session = ? AND seq = ?',
      row.kind,
      row.at,
      segment,
      place,
      session,
      row.seq,
    )
  }
  return { replace, count }
}

/** Lets others do something, if the work has gone on for long. */
export type Turn = () => Promise<void> | void

// As many rows as are emptied in a few milliseconds.
const few = 200

/**
 * Removes all entries of a session.
 * @throws StoreFailedError if one is not where it was stored.
 */
export async function removeEntries(
  statements: Statements,
  session: number,
  turn: Turn,
): Promise<void> {
  const { empty, count } = emptying(statements)
  for (;;) {
    const rows = statements.all(
      `SELECT ${columns} FROM places WHERE session = ? ORDER BY seq LIMIT ${few}`,
      session,
    )
    const placed = rows.map(placedOf)
    const last = placed.at(-1)
    if (!last) break
    if (!empty(session, placed)) {
      throw damagedEntry(statements.file, last.seq, 'or one before it is not where it was stored')
    }
    statements.run('DELETE FROM places WHERE session = ? AND seq <= ?', session, last.seq)
    await turn()
  }
  count()
}
