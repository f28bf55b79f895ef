import { crc32 } from 'node:zlib'
import { redacted, redactedShort } from '../../log/redaction/secret.ts'
import { StoreFailedError } from './errors.ts'
import type { Seq, Entry, EntryDraft } from '../../log/entry.ts'
import type { Row, Statements } from './statements.ts'
import { understood } from './explain.ts'
import { decodeEntry, encodeEntry } from './payload.ts'

/** An entry as a row of its table. */
export interface EntryRow {
  seq: Seq
  kind: string
  /** Milliseconds since 1970. */
  at: number
  text: string
  /** Of all of the above and the number of its session: a row is only where it was put. */
  checksum: number
}

// A row is never moved by what is written later, so that no copy of it stays behind in the file: a
// redaction writes over it, in the same number of bytes. A marker may be longer than what it
// replaces, so there is a little room. JSON may end with spaces.
const room = ' '.repeat(16)

/** @throws UnstorableValueError, StoreFailedError if it is too large. */
export function rowOf(seq: Seq, draft: EntryDraft, file: string): Unplaced {
  const at = Number.isFinite(draft.at) ? draft.at : 0
  return { seq, kind: draft.kind, at, text: textOf(draft, file) + room }
}

/** A row before it is known in which table it will be. */
export type Unplaced = Omit<EntryRow, 'checksum'>

/** What is stored beside a row, to know it again. */
function checksumOf(number: number, { seq, kind, at, text }: Unplaced): number {
  return crc32(text, crc32(`${number} ${seq} ${kind} ${at} `))
}

/**
 * A row that takes the place of another in as many bytes; `undefined` if it is too long for that.
 */
export function fitted(row: Unplaced, old: Unplaced): Unplaced | undefined {
  if (row.kind !== old.kind || !Object.is(row.at, old.at)) return undefined
  const size = Buffer.byteLength(old.text)
  for (const text of [row.text.trimEnd(), row.text.trimEnd().replaceAll(redacted, redactedShort)]) {
    const missing = size - Buffer.byteLength(text)
    if (missing >= 0) return { ...row, text: text + ' '.repeat(missing) }
  }
  return undefined
}

function textOf(draft: EntryDraft, file: string): string {
  try {
    return encodeEntry(draft)
  } catch (cause) {
    // JavaScript holds texts of up to 512 MB.
    if (!isTooLong(cause)) throw cause
    throw new StoreFailedError({ file, failure: 'too-large', cause })
  }
}

function isTooLong(error: unknown): boolean {
  if (error instanceof RangeError) return true
  return error instanceof Error && 'code' in error && error.code === 'ERR_STRING_TOO_LONG'
}

/** @throws StoreFailedError if the text is not an entry. */
export function entryOf({ seq, text }: Pick<EntryRow, 'seq' | 'text'>, file: string): Entry {
  return understood(file, () => decodeEntry(text, seq))
}

/**
 * A row as it was read.
 * @throws StoreFailedError if it isn't what was stored.
 */
export function rowRead(row: Row, number: number, file: string): EntryRow {
  const read: EntryRow = {
    seq: Number(row['seq']),
    kind: String(row['kind']),
    at: Number(row['at']),
    text: String(row['entry']),
    checksum: Number(row['checksum']),
  }
  if (read.checksum === checksumOf(number, read)) return read
  throw damagedEntry(file, read.seq, 'is not what was stored')
}

export function damagedEntry(file: string, seq: Seq, what: string): StoreFailedError {
  const cause = new Error(`entry ${seq} ${what}`)
  return new StoreFailedError({ file, failure: 'damaged', cause })
}

/**
 * Creates the tables of a session. Rows are only ever appended, so SQLite never moves one and
 * leaves no copies behind. Dropping the tables removes every byte that they held.
 */
export function makeTables(statements: Statements, number: number): void {
  statements.exec(
    `CREATE TABLE entries_${number} (
       seq INTEGER PRIMARY KEY,
       kind TEXT NOT NULL,
       at REAL NOT NULL,
       entry TEXT NOT NULL,
       checksum INTEGER NOT NULL
     ) STRICT;
     CREATE INDEX kinds_${number} ON entries_${number} (kind, seq) WHERE kind <> 'message';`,
  )
}

export function addRow(statements: Statements, number: number, row: Unplaced): void {
  statements.run(
    `INSERT INTO entries_${number} (seq, kind, at, entry, checksum) VALUES (?, ?, ?, ?, ?)`,
    row.seq,
    row.kind,
    row.at,
    row.text,
    checksumOf(number, row),
  )
}

/** Writes over a row that has the same size. */
export function replaceRow(statements: Statements, number: number, row: Unplaced): void {
  statements.run(
    `UPDATE entries_${number} SET entry = ?, checksum = ? WHERE seq = ?`,
    row.text,
    checksumOf(number, row),
    row.seq,
  )
}

/** @throws StoreFailedError if it is not there, or not what was stored. */
export function rowAt(statements: Statements, number: number, seq: Seq): EntryRow | undefined {
  const row = statements.get(`SELECT ${columns} FROM entries_${number} WHERE seq = ?`, seq)
  return row && rowRead(row, number, statements.file)
}

/** What is read of a row. */
export const columns = 'seq, kind, at, entry, checksum'

/** The newest entry of a session; every session has one. */
export function newestOf(statements: Statements, number: number): { seq: Seq; at: number } {
  const row = statements.get(`SELECT seq, at FROM entries_${number} ORDER BY seq DESC LIMIT 1`)
  if (!row) throw new StoreFailedError({ file: statements.file, failure: 'damaged' })
  return { seq: Number(row['seq']), at: Number(row['at']) }
}

/** When an entry was made; `undefined` if there is none. */
export function atOf(statements: Statements, number: number, seq: Seq): number | undefined {
  const row = statements.get(`SELECT at FROM entries_${number} WHERE seq = ?`, seq)
  return row && Number(row['at'])
}

/**
 * All rows of a session in order, one at a time, because together they may not fit in memory.
 * @throws StoreFailedError
 */
export function* rowsOf(
  statements: Statements,
  number: number,
  after: Seq = 0,
): Generator<EntryRow> {
  for (let seq = after; ;) {
    const row = rowAfter(statements, number, seq)
    if (!row) return
    // A damaged table may be endless.
    if (row.seq <= seq) throw new StoreFailedError({ file: statements.file, failure: 'damaged' })
    yield row
    seq = row.seq
  }
}

function rowAfter(statements: Statements, number: number, seq: Seq): EntryRow | undefined {
  const row = statements.get(
    `SELECT ${columns} FROM entries_${number} WHERE seq > ? ORDER BY seq LIMIT 1`,
    seq,
  )
  return row && rowRead(row, number, statements.file)
}

// As many rows, or pages, as are deleted in a few milliseconds.
const few = 100

/** Drops the tables of a session. */
export async function dropTables(
  statements: Statements,
  number: number,
  turn: Turn,
): Promise<void> {
  for (let newest = newestOf(statements, number).seq; newest > 0; newest -= few) {
    statements.run(`DELETE FROM entries_${number} WHERE seq > ?`, newest - few)
    await turn()
  }
  statements.exec(`DROP TABLE entries_${number}`)
  dropIndex(statements, number)
}

/** Drops what searches made of a session. */
export function dropIndex(statements: Statements, number: number): void {
  statements.exec(`DROP TABLE IF EXISTS search_${number}`)
}

/** Returns some of the free space to the disk; whether there was any. */
export function giveBack(statements: Statements): boolean {
  const row = statements.get('PRAGMA freelist_count')
  if (Number(row?.['freelist_count']) === 0) return false
  statements.exec(`PRAGMA incremental_vacuum(${few})`)
  return true
}

/** Lets others do something, if the work has gone on for long. */
export type Turn = () => Promise<void> | void
