import { stat } from 'node:fs/promises'
import { foldersOf, pathForReader } from '../../config/folders.ts'
import {
  sqliteStore,
  StoreFailedError,
  StoreVersionError,
  type SqliteStore,
} from '../../stores/sqlite/index.ts'
import { SqliteMissingError, NotAStoreError } from '../../stores/sqlite/errors.ts'
import { CommandError } from '../errors.ts'
import { tellIfReadable } from '../output/readable-by-others.ts'
import { shownPath } from '../paths.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { Io } from '../io.ts'

/** Work in a store, which stays open for as long as the work takes. */
type Work<Result> = (store: SqliteStore) => Promise<Result>

/**
 * Works in the existing store.
 * @throws CommandError if there is no store yet, and errors of the store.
 */
export async function inStore<Result>(
  configuration: Configuration,
  io: Io,
  work: Work<Result>,
): Promise<Result> {
  const file = storeFile(configuration)
  if (await isThere(file)) return whileOpen(file, io, work)
  throw new CommandError(
    `there is no session store yet: ${shownStore(file, io)}. To create it with a first session: throughline import FILE`,
  )
}

/**
 * The same, creating the store if there is none.
 * @throws CommandError, and errors of the store.
 */
export async function inNewStore<Result>(
  configuration: Configuration,
  io: Io,
  work: Work<Result>,
): Promise<Result> {
  const file = storeFile(configuration)
  try {
    return await whileOpen(file, io, work)
  } catch (error) {
    throw isSystemError(error)
      ? new CommandError(
          `${shownStore(file, io)}: the store cannot be created there (${error.code}). Name another file with --store.`,
          { cause: error },
        )
      : error
  }
}

/** Whether nothing can be done with the store: it is another program's, too old or new, or damaged. */
export function isUnusable(error: unknown): error is Error {
  return (
    NotAStoreError.isInstance(error) ||
    SqliteMissingError.isInstance(error) ||
    StoreFailedError.isInstance(error) ||
    StoreVersionError.isInstance(error)
  )
}

/** The store's path, as people read it. */
export function shownStore(file: string, { env, cwd }: Io): string {
  return shownPath(pathForReader(file, foldersOf(env), cwd))
}

/** @throws CommandError if no setting names the store. */
export function storeFile(configuration: Configuration): string {
  const file = knownStoreFile(configuration)
  if (file !== undefined) return file
  throw new CommandError(
    'it is not known where sessions are stored, because no home directory is set. Use --store FILE, or set THROUGHLINE_STORE.',
  )
}

export function knownStoreFile({ settings }: Configuration): string | undefined {
  return settings.whole.store?.value
}

/** An empty file is not a store yet; opening it would make it one. */
export async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => !found.isFile() || found.size > 0,
    (error: unknown) => {
      // Any other problem is reported when it is opened.
      return !(isSystemError(error) && error.code === 'ENOENT')
    },
  )
}

async function whileOpen<Result>(file: string, io: Io, work: Work<Result>): Promise<Result> {
  const store = sqliteStore({ file })
  try {
    await tellIfReadable(file, io)
    return await work(store)
  } finally {
    store.close()
  }
}

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error
}
