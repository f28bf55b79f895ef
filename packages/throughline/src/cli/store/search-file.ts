import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from '../../stores/sqlite/connection/store-file.ts'
import { nodeSqlite } from '../../stores/sqlite/connection/node-sqlite.ts'
import { codeOf, CommandError } from '../errors.ts'
import { plainReason } from '../output/write-reason.ts'
import { knownStoreFile, storeFile } from './open-store.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** The search index, which holds the text of every session and can be rebuilt at any time. */
export interface IndexFile {
  all: (sql: string, ...values: SQLInputValue[]) => Row[]
  run: (sql: string, ...values: SQLInputValue[]) => { id: number }
  /** All of the work or nothing; other processes wait. */
  write: (work: () => void | Promise<void>) => Promise<void>
  close: () => void
}

export type Row = Readonly<Record<string, unknown>>

// A file with other tables is rebuilt.
const version = 3
const busyTimeout = 10_000

/** Where the index of a store is: `sessions.db` has `sessions.search.db` next to it. */
export function searchFile(configuration: Configuration): string {
  return `${storeFile(configuration).replace(/\.db$/, '')}.search.db`
}

/**
 * Opens the index, and creates it where it is missing, damaged or of another version. Only its owner
 * can read it.
 * @throws CommandError if that is impossible.
 */
export function openIndex(path: string): IndexFile {
  try {
    return opened(path)
  } catch {
    try {
      // Nothing in it is lost: the sessions have it all.
      removeIndex(path)
      return opened(path)
    } catch (cause) {
      const reason = plainReason(cause instanceof Error ? cause.message : String(cause))
      throw new CommandError(
        `the search index cannot be written: ${path} (${reason}). Name a store in another directory with --store.`,
        { cause },
      )
    }
  }
}

/**
 * The index as a cache of what is known about sessions; `undefined` if it can't be used, so that
 * everything is read each time. Without `make`, only an existing file is opened.
 */
export function cacheFor(
  configuration: Configuration,
  { make }: { make: boolean },
): IndexFile | undefined {
  if (knownStoreFile(configuration) === undefined) return undefined
  const file = searchFile(configuration)
  if (!make && !existsSync(file)) return undefined
  try {
    return openIndex(file)
  } catch {
    return undefined
  }
}

/** What SQLite says to the index, such as that the disk is full, in our words. */
function asCommandError(error: unknown, path: string): unknown {
  if (codeOf(error) !== 'ERR_SQLITE_ERROR' || !(error instanceof Error)) return error
  return new CommandError(
    `the search index cannot be written: ${path} (${error.message}). Make room, or name a store in another directory with --store.`,
    { cause: error },
  )
}

/** Removes the index, because it may hold a text that is removed from the store. */
export function forgetSearched(configuration: Configuration): void {
  removeIndex(searchFile(configuration))
}

function removeIndex(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
}

function opened(path: string): IndexFile {
  if (!existsSync(path)) {
    makeFolders(dirname(path))
    closeSync(openSync(path, 'a', 0o600))
  }
  const { DatabaseSync } = nodeSqlite()
  const database = new DatabaseSync(path)
  try {
    database.exec(
      `PRAGMA busy_timeout = ${busyTimeout}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
       PRAGMA cache_size = -65536; PRAGMA trusted_schema = OFF`,
    )
    makeTables(database)
  } catch (error) {
    database.close()
    throw error
  }
  return over(database, path)
}

function makeTables(database: DatabaseSync): void {
  const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
  if (found === version) return
  if (found !== 0) throw new Error(`it has version ${found}`)
  database.exec('BEGIN IMMEDIATE')
  // Another process may have made them in the meantime.
  const again = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
  if (again === 0) database.exec(tables)
  database.exec('COMMIT')
}

const tables = `
  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY,
    place TEXT NOT NULL UNIQUE,
    stamp TEXT NOT NULL,
    client TEXT NOT NULL,
    id TEXT NOT NULL,
    file TEXT NOT NULL,
    written INTEGER NOT NULL,
    title TEXT,
    directory TEXT,
    settled INTEGER NOT NULL,
    digest TEXT NOT NULL
  ) STRICT;
  CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    ref TEXT NOT NULL,
    at INTEGER NOT NULL,
    said TEXT NOT NULL,
    tool TEXT,
    paths TEXT,
    text BLOB NOT NULL
  ) STRICT;
  CREATE TABLE archived (place TEXT PRIMARY KEY, stamp TEXT NOT NULL, session TEXT NOT NULL) STRICT;
  CREATE TABLE costs (
    place TEXT PRIMARY KEY,
    stamp TEXT NOT NULL,
    dollars REAL NOT NULL,
    requests INTEGER NOT NULL,
    unpriced INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE digests (place TEXT PRIMARY KEY, stamp TEXT NOT NULL, digest TEXT NOT NULL) STRICT;
  CREATE INDEX passages_of_session ON passages (session, seq);
  CREATE VIRTUAL TABLE words USING fts5 (
    text, tool, paths, content = '', contentless_delete = 1, tokenize = 'ascii'
  );
  INSERT INTO words (words, rank) VALUES ('hashsize', 16777216), ('automerge', 8);
  PRAGMA user_version = ${version};
`

function over(database: DatabaseSync, path: string): IndexFile {
  const statements = new Map<string, StatementSync>()
  const statement = (sql: string): StatementSync => {
    const known = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, known)
    return known
  }
  return {
    all: (sql, ...values) => statement(sql).all(...values) as Row[],
    run: (sql, ...values) => ({ id: Number(statement(sql).run(...values).lastInsertRowid) }),
    async write(work) {
      database.exec('BEGIN IMMEDIATE')
      try {
        await work()
        database.exec('COMMIT')
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw asCommandError(error, path)
      }
    },
    close: () => database.close(),
  }
}
