import { dirname, join } from 'node:path'
import { foldersOf } from '../config/folders.ts'
import { memoryStore } from '../stores/memory.ts'
import { jsonLinesStore } from '../stores/json-lines/json-lines-store.ts'
import { SqliteMissingError } from '../stores/sqlite/errors.ts'
import { sqliteStore } from '../stores/sqlite/sqlite-store.ts'
import type { Store } from '../session/store.ts'

/** A store, and why it is only kept for as long as the process lives, if so. */
interface OpenedStore {
  store: Store
  lost?: string
}

/** Where that store is; `undefined` where the environment names no data folder. */
export function clientStoreFile(
  client: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { data } = foldersOf(env)
  return data && join(data, 'clients', `${client}.db`)
}

/**
 * The store of a client's plugin, beside its records: what was added to the client's sessions. Where
 * nothing can be written, one that ends with the process.
 */
export function openClientStore(
  client: string,
  env: Readonly<Record<string, string | undefined>>,
): OpenedStore {
  const file = clientStoreFile(client, env)
  if (file === undefined) return { store: memoryStore(), lost: 'no data folder is known' }
  try {
    return { store: sqliteStore({ file, busyTimeout: 2_000 }) }
  } catch (error) {
    if (!SqliteMissingError.isInstance(error)) return lostStore(error)
  }
  try {
    return { store: jsonLinesStore({ directory: join(dirname(file), client), busyTimeout: 2_000 }) }
  } catch (error) {
    return lostStore(error)
  }
}

function lostStore(error: unknown): OpenedStore {
  return { store: memoryStore(), lost: error instanceof Error ? error.message : String(error) }
}
