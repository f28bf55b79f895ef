import { stat } from 'node:fs/promises'
import { foldersOf, pathForReader } from '../../config/folders.ts'
import { sqliteStore, type SqliteStore } from '../../stores/sqlite/index.ts'
import { CommandError } from '../errors.ts'
import { shownPath } from '../paths.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { Io } from '../io.ts'

/** Work in a store, which is open as long as that takes. */
type Work<Result> = (store: SqliteStore) => Promise<Result>

/**
 * Works in the store that is there.
 * @throws CommandError if there is none yet, and what the store throws.
 */
export async function inStore<Result>(
  configuration: Configuration,
  io: Io,
  work: Work<Result>,
): Promise<Result> {
  const file = storeFile(configuration)
  if (await isThere(file)) return whileOpen(file, work)
  throw new CommandError(
    `there is no session store yet: ${shownStore(file, io)}. Make it with the first session: throughline import FILE`,
  )
}

/**
 * The same in a store that is made if there is none.
 * @throws CommandError, and what the store throws.
 */
export async function inNewStore<Result>(
  configuration: Configuration,
  io: Io,
  work: Work<Result>,
): Promise<Result> {
  const file = storeFile(configuration)
  try {
    return await whileOpen(file, work)
  } catch (error) {
    throw isSystemError(error)
      ? new CommandError(
          `${shownStore(file, io)}: the store cannot be made there (${error.code}). Name another file with --store.`,
          { cause: error },
        )
      : error
  }
}

/** Where the store is, as people read it. */
export function shownStore(file: string, { env, cwd }: Io): string {
  return shownPath(pathForReader(file, foldersOf(env), cwd))
}

/** @throws CommandError if nobody says where. */
export function storeFile(configuration: Configuration): string {
  const file = knownStoreFile(configuration)
  if (file !== undefined) return file
  throw new CommandError(
    'where sessions are stored is not known: no home directory is set. Give --store FILE, or set THROUGHLINE_STORE.',
  )
}

export function knownStoreFile({ settings }: Configuration): string | undefined {
  return settings.whole.store?.value
}

/** An empty file is no store yet: opening it would make one. */
export async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => !found.isFile() || found.size > 0,
    (error: unknown) => {
      // Whatever else is wrong with it, opening it says so.
      return !(isSystemError(error) && error.code === 'ENOENT')
    },
  )
}

async function whileOpen<Result>(file: string, work: Work<Result>): Promise<Result> {
  const store = sqliteStore({ file })
  try {
    return await work(store)
  } finally {
    store.close()
  }
}

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error
}
