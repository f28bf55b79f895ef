import { StoreFailedError } from './errors.ts'
import type { Seq, Entry, EntryDraft } from '../../log/entry.ts'
import type { Statements } from './statements.ts'
import { understood } from './explain.ts'
import { decodeEntry, encodeEntry } from './payload.ts'

/** An entry as a row of its table. */
export interface EntryRow {
  seq: Seq
  kind: string
  /** Milliseconds since 1970. */
  at: number
  text: string
}

/** @throws UnstorableValueError, StoreFailedError if it is too large. */
export function rowOf(seq: Seq, draft: EntryDraft, file: string): EntryRow {
  return { seq, kind: draft.kind, at: draft.at, text: textOf(draft, file) }
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
 * Creates the tables of a session. Rows are only ever appended, so SQLite never moves one and
 * leaves no copies behind. Dropping the tables removes every byte that they held.
 */
export function makeTables(statements: Statements, number: number): void {
  statements.exec(
    `CREATE TABLE entries_${number} (
       seq INTEGER PRIMARY KEY,
       kind TEXT NOT NULL,
       at REAL NOT NULL,
       entry TEXT NOT NULL
     ) STRICT;
     CREATE INDEX kinds_${number} ON entries_${number} (kind, seq) WHERE kind <> 'message';`,
  )
}

export function addRow(statements: Statements, number: number, row: EntryRow): void {
  statements.run(
    `INSERT INTO entries_${number} (seq, kind, at, entry) VALUES (?, ?, ?, ?)`,
    row.seq,
    row.kind,
    Number.isFinite(row.at) ? row.at : 0,
    row.text,
  )
}

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
    `SELECT seq, kind, at, entry FROM entries_${number} WHERE seq > ? ORDER BY seq LIMIT 1`,
    seq,
  )
  if (!row) return undefined
  return {
    seq: Number(row['seq']),
    kind: String(row['kind']),
    at: Number(row['at']),
    text: String(row['entry']),
  }
}

/** Drops the tables of a session and returns their space to the disk. */
export function dropTables(statements: Statements, number: number): void {
  statements.exec(
    `DROP TABLE entries_${number};
     DROP TABLE IF EXISTS search_${number};
     PRAGMA incremental_vacuum;`,
  )
}
