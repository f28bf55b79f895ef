import { isBusy } from './explain.ts'
import { migrations } from './migrations.ts'
import { applicationId, currentVersion, versionOf } from './store-version.ts'
import { tryAgain } from './try-again.ts'
import type { DatabaseSync } from 'node:sqlite'

/**
 * Makes a store of the current version from an older one, or from an empty file.
 * @throws NotAStoreError, StoreVersionError, or what SQLite says.
 */
export function bringUpToDate(database: DatabaseSync, file: string, busyTimeout: number): void {
  const from = versionOf(database, file)
  if (from === currentVersion) return
  if (from === 0) database.exec('PRAGMA auto_vacuum = INCREMENTAL')
  useWriteAheadLog(database, busyTimeout)
  database.exec('BEGIN IMMEDIATE')
  try {
    // Whoever comes second finds the work done.
    const version = versionOf(database, file)
    for (const migrate of migrations.slice(version)) migrate(database)
    database.exec(`PRAGMA application_id = ${applicationId};
      PRAGMA user_version = ${currentVersion}; COMMIT`)
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function useWriteAheadLog(database: DatabaseSync, busyTimeout: number): void {
  let busy: unknown
  const done = tryAgain(busyTimeout, () => {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return true
    } catch (error) {
      if (!isBusy(error)) throw error
      busy = error
      return false
    }
  })
  if (!done) throw busy
}
