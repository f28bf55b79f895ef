import { openToRead } from '../../stores/sqlite/node-sqlite.ts'
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
