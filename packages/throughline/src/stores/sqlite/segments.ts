import type { Statements } from './statements.ts'

/**
 * The entries of all sessions lie one behind the other in a few large tables, the segments. A row
 * is only ever added at the end of the newest one, written over with as many bytes, or emptied. So
 * SQLite never moves a row to another page, where it would leave a copy behind, and how many
 * sessions there are makes no difference.
 */
export interface Place {
  segment: number
  place: number
}

export interface Stored {
  /** The number of its session; 0 once it was emptied. */
  session: number
  seq: number
  text: string
  checksum: number
}

// An emptied row still takes some room on its page, up to four kilobytes. A segment is large enough
// that there are few, and small enough that it can be given up as a whole.
const most = 65_536

export function segmentTable(number: number): string {
  return `CREATE TABLE segment_${number} (
    place INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    entry TEXT NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT`
}

export function makeSegment(statements: Statements, number: number): void {
  statements.exec(segmentTable(number))
  statements.run('INSERT INTO segments (number, emptied) VALUES (?, 0)', number)
}

/** The one to which rows are added, which always has room. */
export function newestSegment(statements: Statements): number {
  const row = statements.get('SELECT max(number) AS number FROM segments')
  return Number(row?.['number'] ?? 0)
}

/** The last place of a segment that was ever used. */
export function lastPlace(statements: Statements, segment: number): number {
  return Number(statements.get(`SELECT max(place) AS last FROM segment_${segment}`)?.['last'] ?? 0)
}

/** The places that the next rows will have. */
export function* nextPlaces(statements: Statements): Generator<Place, never> {
  let segment = newestSegment(statements)
  let place = lastPlace(statements, segment)
  for (;;) {
    place += 1
    yield { segment, place }
    if (place < most) continue
    segment += 1
    place = 0
  }
}

/** Adds rows at the end, one after the other. */
export function adding(statements: Statements): (stored: Stored) => Place {
  const places = nextPlaces(statements)
  return (stored) => {
    const at = places.next().value
    statements.run(
      `INSERT INTO segment_${at.segment} (place, session, seq, entry, checksum) VALUES (?, ?, ?, ?, ?)`,
      at.place,
      stored.session,
      stored.seq,
      stored.text,
      stored.checksum,
    )
    if (at.place >= most) makeSegment(statements, at.segment + 1)
    return at
  }
}

/** A text at a place, and what it is known by; `undefined` if there is none. */
export function textAt(
  statements: Statements,
  { segment, place }: Place,
): { text: string; checksum: number } | undefined {
  const row = statements.get(
    `SELECT entry, checksum FROM segment_${segment} WHERE place = ?`,
    place,
  )
  return row && { text: String(row['entry']), checksum: Number(row['checksum']) }
}

/** What is stored at a place; `undefined` if there is nothing. */
export function storedAt(statements: Statements, { segment, place }: Place): Stored | undefined {
  const row = statements.get(
    `SELECT session, seq, entry, checksum FROM segment_${segment} WHERE place = ?`,
    place,
  )
  return (
    row && {
      session: Number(row['session']),
      seq: Number(row['seq']),
      text: String(row['entry']),
      checksum: Number(row['checksum']),
    }
  )
}

/** Writes over what is stored at a place, in as many bytes; whether it was there. */
export function putOver(statements: Statements, at: Place, stored: Stored): boolean {
  const changed = statements.run(
    `UPDATE segment_${at.segment} SET entry = ?, checksum = ?
     WHERE place = ? AND session = ? AND seq = ?`,
    stored.text,
    stored.checksum,
    at.place,
    stored.session,
    stored.seq,
  )
  return changed > 0
}

/** Empties places, and counts them at the end. */
export function emptying(statements: Statements): {
  /** Whether the session had a row at each of these places. */
  empty: (session: number, places: readonly Place[]) => boolean
  count: () => void
} {
  const emptied = new Map<number, number>()
  const emptyIn = (session: number, segment: number, places: readonly number[]): boolean => {
    emptied.set(segment, (emptied.get(segment) ?? 0) + places.length)
    const changed = statements.run(
      `UPDATE segment_${segment} SET session = 0, seq = 0, entry = '', checksum = 0
       WHERE place IN (SELECT value FROM json_each(?)) AND session = ?`,
      JSON.stringify(places),
      session,
    )
    return changed === places.length
  }
  return {
    empty: (session, places) =>
      [...Map.groupBy(places, ({ segment }) => segment)].every(([segment, all]) =>
        emptyIn(
          session,
          segment,
          all.map(({ place }) => place),
        ),
      ),
    count() {
      for (const [segment, count] of emptied) {
        statements.run('UPDATE segments SET emptied = emptied + ? WHERE number = ?', count, segment)
      }
    },
  }
}
