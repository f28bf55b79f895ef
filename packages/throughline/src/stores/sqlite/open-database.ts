import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { NotAStoreError, StoreVersionError } from './errors.ts'
import { migrations } from './migrations.ts'
import { nodeSqlite } from './node-sqlite.ts'
import type { DatabaseSync } from 'node:sqlite'

/** How a database is opened. */
export interface DatabaseOptions {
  /** `full` survives a power loss; `normal` every crash of the process, and is six times as fast. */
  synchronous: 'normal' | 'full'
  /** Milliseconds to wait for another process that writes. */
  busyTimeout: number
}

// "Thln": tells a store from other SQLite files.
const applicationId = 0x54686c6e

/**
 * Opens the file of a store, or makes it; one that may only be read is opened for reading.
 * @throws NotAStoreError, StoreVersionError, or what SQLite says.
 */
export function openDatabase(file: string, options: DatabaseOptions): DatabaseSync {
  const database = connect(file)
  try {
    database.exec(`PRAGMA busy_timeout = ${Math.floor(options.busyTimeout)}`)
    const version = versionOf(database, file)
    if (!isWritable(file)) return database
    // Freed pages are zeroed, so that what was deleted is gone; sorters leave no files behind.
    database.exec(`PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;
      PRAGMA synchronous = ${options.synchronous}`)
    if (version < migrations.length) migrate(database, version)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function connect(file: string): DatabaseSync {
  const { DatabaseSync } = nodeSqlite()
  if (file === ':memory:') return new DatabaseSync(file)
  if (!existsSync(file)) {
    // A session holds what people work on: it is theirs alone.
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    closeSync(openSync(file, 'a', 0o600))
  }
  if (isWritable(file)) return new DatabaseSync(file)
  // Nobody else can write either where not even the lock files can be made.
  const alone = !existsSync(`${file}-wal`)
  const url = pathToFileURL(file)
  if (alone) url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true })
}

/** Whether a store can be written: its file, and lock files beside it. */
export function isWritable(file: string): boolean {
  if (file === ':memory:') return true
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
    accessSync(dirname(file), constants.W_OK)
    return true
  } catch {
    return false
  }
}

function versionOf(database: DatabaseSync, file: string): number {
  // One look at the file: somebody else may be making the store at this moment.
  database.exec('BEGIN')
  const version = pragma(database, 'user_version')
  const id = pragma(database, 'application_id')
  const isNew = id === 0 && version === 0 && isEmpty(database)
  database.exec('COMMIT')
  if (!isNew && id !== applicationId) throw new NotAStoreError({ file })
  if (version > migrations.length) {
    throw new StoreVersionError({ file, version, supported: migrations.length })
  }
  return version
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0])
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
}

/** Whoever comes second finds the work done. */
function migrate(database: DatabaseSync, from: number): void {
  if (from === 0) database.exec('PRAGMA auto_vacuum = INCREMENTAL')
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = pragma(database, 'user_version')
    for (const step of migrations.slice(version)) database.exec(step)
    database.exec(`PRAGMA application_id = ${applicationId};
      PRAGMA user_version = ${Math.max(version, migrations.length)}; COMMIT`)
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
