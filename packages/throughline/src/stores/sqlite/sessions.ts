import { crc32 } from 'node:zlib'
import { StoreFailedError } from './errors.ts'
import { understood } from './explain.ts'
import { newestOf, type Turn } from './entries.ts'
import type { Seq } from '../../log/entry.ts'
import type { StoredSession } from '../../session/store.ts'
import type { Row, Statements } from './statements.ts'

export interface SessionRow {
  number: number
  newest: Seq
  /** Whether no other session was written later. */
  isLast: boolean
}

/** Its newest entry is read from the entries, because an append writes nothing else. */
export function findSession(statements: Statements, session: string): SessionRow | undefined {
  const row = statements.get(
    `SELECT number, name, checksum, written = (SELECT max(written) FROM sessions) AS is_last,
       (SELECT max(seq) FROM places WHERE session = number) AS newest
     FROM sessions WHERE name = ?`,
    nameOf(session),
  )
  if (!row) return checkNames(statements)
  const number = checkedNumber(row, statements.file)
  const newest = Number(row['newest'])
  // Every session has an entry.
  if (newest === 0) throw new StoreFailedError({ file: statements.file, failure: 'damaged' })
  return { number, newest, isLast: Boolean(row['is_last']) }
}

export function addSession(statements: Statements, session: string): SessionRow {
  const number = freeNumber(statements)
  statements.run(
    'INSERT INTO sessions (number, name, written, checksum) VALUES (?, ?, 0, ?)',
    number,
    nameOf(session),
    checksumOf(number, nameOf(session)),
  )
  return { number, newest: 0, isLast: false }
}

/** What is stored beside a name, to know it again. */
function checksumOf(number: number, name: string): number {
  return crc32(`${number} ${name}`)
}

/** @throws StoreFailedError if the name is not what was stored. */
function checkedNumber(row: Row, file: string): number {
  const number = Number(row['number'])
  if (Number(row['checksum']) === checksumOf(number, String(row['name']))) return number
  const cause = new Error('the name of a session is not what was stored')
  throw new StoreFailedError({ file, failure: 'damaged', cause })
}

const checked = new WeakSet<Statements>()

/**
 * A session that isn't found may be there, under a name that was damaged, or that the index does not
 * lead to. All names are looked up by one statement, once for each connection: read one by one,
 * 100,000 of them would stop the process for a second.
 */
function checkNames(statements: Statements): undefined {
  if (checked.has(statements)) return
  const astray = statements.get(
    `SELECT number FROM sessions AS stored NOT INDEXED WHERE NOT EXISTS (
       SELECT 1 FROM sessions AS found INDEXED BY sqlite_autoindex_sessions_1
       WHERE found.name = stored.name AND found.number = stored.number
     ) LIMIT 1`,
  )
  if (astray) {
    const cause = new Error(`the index of names does not lead to session ${astray['number']}`)
    throw new StoreFailedError({ file: statements.file, failure: 'damaged', cause })
  }
  checked.add(statements)
}

function freeNumber(statements: Statements): number {
  const row = statements.get('SELECT coalesce(max(number), 0) + 1 AS number FROM sessions')
  return Number(row?.['number'])
}

/** Records that no other session was written later. */
export function noteWritten(statements: Statements, { number, isLast }: SessionRow): void {
  if (isLast) return
  statements.run(
    'UPDATE sessions SET written = (SELECT max(written) + 1 FROM sessions) WHERE number = ?',
    number,
  )
}

export async function listSessions(statements: Statements, turn: Turn): Promise<StoredSession[]> {
  const rows = statements.all('SELECT number, name, checksum FROM sessions ORDER BY written DESC')
  const listed: StoredSession[] = []
  for (const row of rows) {
    const number = checkedNumber(row, statements.file)
    const id = understood(statements.file, () => JSON.parse(String(row['name'])) as string)
    const { seq, at } = newestOf(statements, number)
    listed.push({ id, newest: seq, at })
    await turn()
  }
  return listed
}

/**
 * Deletes a session. SQLite moves rows between pages and leaves copies behind, so all rows are
 * written again and no page holds the name anymore.
 */
export function deleteSession(statements: Statements, number: number): void {
  statements.exec(
    `CREATE TEMP TABLE remaining AS SELECT * FROM sessions WHERE number <> ${number};
     DELETE FROM sessions;
     INSERT INTO sessions SELECT * FROM remaining ORDER BY number;
     DROP TABLE remaining;`,
  )
}

/** As JSON, like the entries, because a name may contain any character. */
function nameOf(session: string): string {
  return JSON.stringify(session)
}
