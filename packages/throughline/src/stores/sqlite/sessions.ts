import { understood } from './explain.ts'
import { newestOf } from './places.ts'
import type { Seq } from '../../log/entry.ts'
import type { StoredSession } from '../../session/store.ts'
import type { Statements } from './statements.ts'

/** What is known of a session. */
export interface SessionRow {
  /** The number of the tables in which it stands. */
  place: number
  newest: Seq
  /** Up to which seq its words are in its search table. */
  searched: Seq
  /** Whether no other session was written later. */
  isLast: boolean
}

/** Its newest entry is read from where it stands: what an append writes is the entries alone. */
export function findSession(statements: Statements, session: string): SessionRow | undefined {
  const row = statements.get(
    `SELECT place, searched, written = (SELECT max(written) FROM sessions) AS is_last
     FROM sessions WHERE name = ?`,
    nameOf(session),
  )
  if (!row) return undefined
  const place = Number(row['place'])
  return {
    place,
    newest: newestOf(statements, place).seq,
    searched: Number(row['searched']),
    isLast: Boolean(row['is_last']),
  }
}

export function addSession(statements: Statements, session: string): SessionRow {
  const place = freePlace(statements)
  statements.run(
    'INSERT INTO sessions (place, name, written, searched) VALUES (?, ?, 0, 0)',
    place,
    nameOf(session),
  )
  return { place, newest: 0, searched: 0, isLast: false }
}

/** The session stands in another place now, and was never searched there. */
export function moveSession(statements: Statements, from: number): number {
  const to = freePlace(statements)
  statements.run('UPDATE sessions SET place = ?, searched = 0 WHERE place = ?', to, from)
  return to
}

function freePlace(statements: Statements): number {
  const row = statements.get('SELECT coalesce(max(place), 0) + 1 AS place FROM sessions')
  return Number(row?.['place'])
}

/** Remembers that no other session was written later. */
export function noteWritten(statements: Statements, { place, isLast }: SessionRow): void {
  if (isLast) return
  statements.run(
    'UPDATE sessions SET written = (SELECT max(written) + 1 FROM sessions) WHERE place = ?',
    place,
  )
}

/** Remembers up to which entry the words of a session are in its search table. */
export function noteSearched(statements: Statements, place: number, searched: Seq): void {
  statements.run('UPDATE sessions SET searched = ? WHERE place = ?', searched, place)
}

export function listSessions(statements: Statements): StoredSession[] {
  const rows = statements.all('SELECT place, name FROM sessions ORDER BY written DESC')
  return rows.map(({ place, name }) => {
    const id = understood(statements.file, () => JSON.parse(String(name)) as string)
    const { seq, at } = newestOf(statements, Number(place))
    return { id, newest: seq, at }
  })
}

/**
 * Forgets a session. SQLite moves rows between pages and leaves copies behind: all rows are
 * written anew, so that no page holds the name.
 */
export function deleteSession(statements: Statements, place: number): void {
  statements.exec(
    `CREATE TEMP TABLE remaining AS SELECT * FROM sessions WHERE place <> ${place};
     DELETE FROM sessions;
     INSERT INTO sessions SELECT * FROM remaining ORDER BY place;
     DROP TABLE remaining;`,
  )
}

/** As JSON, like the entries: a name may hold whatever a text may. */
function nameOf(session: string): string {
  return JSON.stringify(session)
}
