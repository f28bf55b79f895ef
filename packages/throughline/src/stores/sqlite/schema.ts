import { NotAStoreError, StoreVersionError } from './errors.ts'
import type { DatabaseSync } from 'node:sqlite'

/** "Thln": distinguishes a store from other SQLite files. */
const applicationId = 0x54686c6e

/**
 * The version of the tables that this code reads and writes. Once a version is released, a change
 * to its tables gets the next number.
 */
const schemaVersion = 1

/**
 * Makes a store of an empty file; one that is a store already stays as it is.
 * @throws NotAStoreError, StoreVersionError, or what SQLite says.
 */
export function makeStore(database: DatabaseSync, file: string): void {
  if (isStore(database, file)) return
  database.exec('PRAGMA auto_vacuum = INCREMENTAL')
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('BEGIN IMMEDIATE')
  try {
    // Whoever comes second finds the work done.
    if (!isStore(database, file)) createSchema(database)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Each session has tables of its own beside this one: see `session-tables.ts`. */
function createSchema(database: DatabaseSync): void {
  database.exec(
    `CREATE TABLE sessions (
       number INTEGER PRIMARY KEY,
       name TEXT NOT NULL UNIQUE,
       written INTEGER NOT NULL,
       searched INTEGER NOT NULL,
       checksum INTEGER NOT NULL
     ) STRICT;
     CREATE INDEX sessions_by_writing ON sessions (written);
     PRAGMA application_id = ${applicationId};
     PRAGMA user_version = ${schemaVersion};`,
  )
}

/**
 * Whether a file is a store; an empty one is not, and can become one.
 * @throws NotAStoreError, StoreVersionError, or what SQLite says.
 */
export function isStore(database: DatabaseSync, file: string): boolean {
  const version = isMarked(database) ? markedVersion(database) : unmarkedVersion(database, file)
  if (version === 0) return false
  checkVersion(version, file)
  return true
}

/** Read without the names of all tables, because there may be thousands. */
function isMarked(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA application_id').get()?.['application_id'] === applicationId
}

function markedVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
}

function unmarkedVersion(database: DatabaseSync, file: string): number {
  // One statement sees one state: another process may be creating the store right now.
  const row = database
    .prepare(
      `SELECT user_version AS version, application_id AS id,
         EXISTS (SELECT 1 FROM sqlite_schema) AS has_tables
       FROM pragma_user_version, pragma_application_id`,
    )
    .get()
  const [version, id] = [Number(row?.['version']), Number(row?.['id'])]
  const isNew = id === 0 && version === 0 && row?.['has_tables'] === 0
  if (!isNew && id !== applicationId) throw new NotAStoreError({ file })
  return version
}

/** @throws StoreVersionError where a newer Throughline has written. */
export function checkVersion(version: number, file: string): void {
  if (version !== schemaVersion) {
    throw new StoreVersionError({ file, version, supported: schemaVersion })
  }
}
