import { countOf, nameOf } from '../../json/fields.ts'
import { harnesses } from '../../formats/harnesses.ts'
import { ownFolder, type Harness, type Surroundings } from '../../formats/writing/harness.ts'
import { readdir } from 'node:fs/promises'
import { codeOf } from '../errors.ts'
import { openToRead } from '../../stores/sqlite/connection/node-sqlite.ts'
import type { DatabaseSession, Unreadable } from '../found-session.ts'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** How to query an open database. */
export interface Rows {
  all: (sql: string, ...values: SQLInputValue[]) => Row[]
  each: (sql: string, ...values: SQLInputValue[]) => Iterable<Row>
}

export type Row = Readonly<Record<string, unknown>>

// opencode writes to it while it runs.
const busyTimeout = 2000

/** Opens opencode's database for reading only; the caller closes it. */
export function openDatabase(file: string): DatabaseSync {
  return openToRead(file, busyTimeout)
}

/** Queries a database as it is now, and closes it. */
export function readDatabase<Result>(file: string, work: (rows: Rows) => Result): Result {
  const database = openDatabase(file)
  try {
    return work(rowsOf(database))
  } finally {
    database.close()
  }
}

export function rowsOf(database: DatabaseSync): Rows {
  const statements = new Map<string, StatementSync>()
  const statement = (sql: string): StatementSync => {
    const known = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, known)
    return known
  }
  return {
    all: (sql, ...values) => statement(sql).all(...values) as Row[],
    each: (sql, ...values) => statement(sql).iterate(...values) as Iterable<Row>,
  }
}

/** The sessions in opencode's databases, without those of subagents. */
export async function* databaseSessions(
  harness: Harness,
  surroundings: Surroundings,
  onUnreadable: (found: Unreadable) => void,
): AsyncGenerator<DatabaseSession[]> {
  for (const file of await databaseFiles(surroundings, onUnreadable)) {
    try {
      yield sessionsIn(harness, file)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      onUnreadable({ file, reason })
    }
  }
}

function sessionsIn(given: Harness, file: string): DatabaseSession[] {
  const { rows, isV2 } = readDatabase(file, ({ all }) => {
    const isV2 = all(tablesOfV2).length === 2
    const sql = `SELECT id, time_updated FROM ${isV2 ? 'session_v2' : 'session'} WHERE parent_id IS NULL`
    return { isV2, rows: all(sql) }
  })
  const newer = harnesses.find(({ name }) => name === 'opencode-v2')
  const harness = (isV2 ? newer : undefined) ?? given
  return rows.flatMap((row): DatabaseSession[] => {
    const id = nameOf(row['id'])
    if (id === undefined) return []
    return [{ type: 'database', harness, id, at: countOf(row['time_updated']) ?? 0, file }]
  })
}

/** Version 2 takes over the sessions of version 1, which has one of these tables too. */
const tablesOfV2 =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('session_v2', 'session_message')"

/**
 * opencode's databases: the one that `OPENCODE_DB` names, else those of all release channels in its
 * own folder.
 */
async function databaseFiles(
  surroundings: Surroundings,
  onUnreadable: (found: Unreadable) => void,
): Promise<string[]> {
  const { variables, path } = surroundings
  const [folder] = ownFolder(surroundings, {
    variable: 'XDG_DATA_HOME',
    names: ['.local', 'share'],
    behind: ['opencode'],
  })
  const named = variables['OPENCODE_DB']
  if (named !== undefined && path.isAbsolute(named)) return [named]
  if (folder === undefined) return []
  if (named !== undefined && named !== '') {
    return named === ':memory:' ? [] : [path.join(folder, named)]
  }
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile() && isDatabase(entry.name))
    return files.map(({ name }) => path.join(folder, name))
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') onUnreadable({ file: folder, reason: codeOf(error) })
    return []
  }
}

function isDatabase(name: string): boolean {
  return /^opencode(?:-[\w.-]+)?\.db$/.test(name)
}
