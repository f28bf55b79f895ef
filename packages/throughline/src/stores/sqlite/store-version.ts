import { NotAStoreError, StoreVersionError } from './errors.ts'
import { migrations } from './migrations.ts'
import type { DatabaseSync } from 'node:sqlite'

/** "Thln": tells a store from other SQLite files. */
export const applicationId = 0x54686c6e

/** The version that this code writes, and the newest that it reads. */
export const currentVersion = migrations.length

/**
 * The version of a store; 0 is an empty file, which can become one.
 * @throws NotAStoreError, StoreVersionError, or what SQLite says.
 */
export function versionOf(database: DatabaseSync, file: string): number {
  const version = isMarked(database) ? markedVersion(database) : unmarkedVersion(database, file)
  checkVersion(version, file)
  return version
}

/** Read without the names of all tables, of which there may be thousands. */
function isMarked(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA application_id').get()?.['application_id'] === applicationId
}

function markedVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
}

function unmarkedVersion(database: DatabaseSync, file: string): number {
  // One statement is one look: somebody else may be making the store at this moment.
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
  if (version > currentVersion) {
    throw new StoreVersionError({ file, version, supported: currentVersion })
  }
}
