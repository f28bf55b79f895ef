import { StoreFailedError } from './errors.ts'
import type { Seq } from '../../log/entry.ts'
import type { EntryRow } from './entry-row.ts'
import type { Statements } from './statements.ts'

/**
 * Makes the tables of a session. Rows are only ever added at their end, so that SQLite never
 * moves one and leaves no copy behind; with the tables goes every byte that they held.
 */
export function makePlace(statements: Statements, place: number): void {
  statements.exec(
    `CREATE TABLE entries_${place} (
       seq INTEGER PRIMARY KEY,
       kind TEXT NOT NULL,
       at REAL NOT NULL,
       entry TEXT NOT NULL
     ) STRICT;
     CREATE INDEX kinds_${place} ON entries_${place} (kind, seq) WHERE kind <> 'message';`,
  )
}

export function addRow(statements: Statements, place: number, row: EntryRow): void {
  statements.run(
    `INSERT INTO entries_${place} (seq, kind, at, entry) VALUES (?, ?, ?, ?)`,
    row.seq,
    row.kind,
    Number.isFinite(row.at) ? row.at : 0,
    row.text,
  )
}

/** The newest entry of a session, which always has one. */
export function newestOf(statements: Statements, place: number): { seq: Seq; at: number } {
  const row = statements.get(`SELECT seq, at FROM entries_${place} ORDER BY seq DESC LIMIT 1`)
  if (!row) throw new StoreFailedError({ file: statements.file, failure: 'damaged' })
  return { seq: Number(row['seq']), at: Number(row['at']) }
}

/** When an entry was made; `undefined` if there is none. */
export function atOf(statements: Statements, place: number, seq: Seq): number | undefined {
  const row = statements.get(`SELECT at FROM entries_${place} WHERE seq = ?`, seq)
  return row && Number(row['at'])
}

/**
 * All rows of a session in order, one at a time: together they may not fit in memory.
 * @throws StoreFailedError
 */
export function* rowsOf(
  statements: Statements,
  place: number,
  after: Seq = 0,
): Generator<EntryRow> {
  for (let seq = after; ;) {
    const row = rowAfter(statements, place, seq)
    if (!row) return
    // In a damaged table there may be no end.
    if (row.seq <= seq) throw new StoreFailedError({ file: statements.file, failure: 'damaged' })
    yield row
    seq = row.seq
  }
}

function rowAfter(statements: Statements, place: number, seq: Seq): EntryRow | undefined {
  const row = statements.get(
    `SELECT seq, kind, at, entry FROM entries_${place} WHERE seq > ? ORDER BY seq LIMIT 1`,
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

/** Drops the tables of a session, and gives their room back to the disk. */
export function dropPlace(statements: Statements, place: number): void {
  statements.exec(
    `DROP TABLE entries_${place};
     DROP TABLE IF EXISTS search_${place};
     PRAGMA incremental_vacuum;`,
  )
}
