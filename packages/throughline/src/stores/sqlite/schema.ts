import { segmentTable } from './segments.ts'
import { NotAStoreError, StoreVersionError } from './errors.ts'
import type { DatabaseSync } from 'node:sqlite'

/** "Thln": distinguishes a store from other SQLite files. */
const applicationId = 0x54686c6e

/**
 * What a file states as the lowest version that may use it: a change that older code cannot live with
 * gets the next number, and what is only added gets none, so that older code goes on.
 * Version 1 had tables for each session and was never released.
 */
const schemaVersion = 2

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

/**
 * The texts of the entries are in segments, of which the first is made here: see `segments.ts`.
 * Nothing else holds any text, except the names of the sessions and the words of the few that were
 * searched last: see `search-index.ts`.
 */
function createSchema(database: DatabaseSync): void {
  database.exec(
    `CREATE TABLE sessions (
       number INTEGER PRIMARY KEY,
       name TEXT NOT NULL UNIQUE,
       written INTEGER NOT NULL,
       checksum INTEGER NOT NULL
     ) STRICT;
     CREATE INDEX sessions_by_writing ON sessions (written);
     CREATE TABLE places (
       session INTEGER NOT NULL,
       seq INTEGER NOT NULL,
       kind TEXT NOT NULL,
       at REAL NOT NULL,
       segment INTEGER NOT NULL,
       place INTEGER NOT NULL,
       PRIMARY KEY (session, seq)
     ) STRICT, WITHOUT ROWID;
     CREATE INDEX kinds ON places (session, kind, seq) WHERE kind <> 'message';
     CREATE TABLE segments (
       number INTEGER PRIMARY KEY,
       emptied INTEGER NOT NULL
     ) STRICT;
     CREATE TABLE searches (
       session INTEGER PRIMARY KEY,
       searched INTEGER NOT NULL,
       turn INTEGER NOT NULL
     ) STRICT;
     ${segmentTable(1)};
     INSERT INTO segments (number, emptied) VALUES (1, 0);
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

/** @throws StoreVersionError where another Throughline has written. */
export function checkVersion(version: number, file: string): void {
  if (version !== schemaVersion) {
    throw new StoreVersionError({ file, version, supported: schemaVersion })
  }
}
