import { pathToFileURL } from 'node:url'
import { nodeSqlite } from './node-sqlite.ts'
import { hasLog } from './store-file.ts'
import type { DatabaseSync } from 'node:sqlite'

/** Opens a file so that nothing is written: not to it, and no other file beside it if it can be. */
export function openToRead(path: string, busyTimeout: number): DatabaseSync {
  const url = pathToFileURL(path)
  // Without a log the file says all, and is read as one that nobody changes.
  if (!hasLog(path)) url.searchParams.set('immutable', '1')
  const { DatabaseSync } = nodeSqlite()
  const database = new DatabaseSync(url, { readOnly: true })
  database.exec(`PRAGMA busy_timeout = ${Math.floor(busyTimeout)}; PRAGMA trusted_schema = OFF`)
  return database
}
