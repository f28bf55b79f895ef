import { bunSqlite } from './bun-sqlite.ts'
import { SqliteMissingError } from '../errors.ts'
import type * as sqlite from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { hasLog } from './store-file.ts'
import type { DatabaseSync } from 'node:sqlite'

type NodeSqlite = Pick<typeof sqlite, 'DatabaseSync'>

let loaded: NodeSqlite | undefined

/**
 * The runtime's own SQLite, Node's or Bun's, loaded when first needed. On Node 22, it comes with a warning that it is
 * experimental. Users of a session needn't see that warning; all others stay.
 * @throws SqliteMissingError
 */
export function nodeSqlite(): NodeSqlite {
  if (loaded) return loaded
  const emitWarning = process.emitWarning
  process.emitWarning = (...warning: unknown[]) => {
    if (!String(warning[0]).startsWith('SQLite is an experimental feature')) {
      Reflect.apply(emitWarning, process, warning)
    }
  }
  try {
    loaded = bunSqlite() ?? process.getBuiltinModule?.('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
  if (!loaded) throw new SqliteMissingError()
  return loaded
}

/** Opens a file without writing to it and, if possible, without creating other files next to it. */
export function openToRead(path: string, busyTimeout = 0): DatabaseSync {
  const url = pathToFileURL(path)
  // Without a write-ahead log, the file is complete and is read as one that nobody changes.
  if (!hasLog(path)) url.searchParams.set('immutable', '1')
  const { DatabaseSync } = nodeSqlite()
  const database = new DatabaseSync(url, { readOnly: true })
  database.exec(`PRAGMA busy_timeout = ${Math.floor(busyTimeout)}; PRAGMA trusted_schema = OFF`)
  return database
}
