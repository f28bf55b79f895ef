import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  realpathSync,
  statSync,
  mkdirSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { NotAStoreError, StoreFailedError } from './errors.ts'

/** A store that lives in memory. */
const inMemory = ':memory:'

// One page. SQLite would take a shorter file for an empty one, and write over it.
const smallest = 512

/**
 * The file itself, whatever links lead to it: SQLite keeps its other files beside that. An empty
 * one is made if there is none. An absolute path is never taken for a URL.
 * @throws StoreFailedError, NotAStoreError, or what the file system says.
 */
export function storeFile(file: string): string {
  if (file === inMemory) return file
  const path = resolve(file)
  if (!existsSync(path)) {
    // A session holds what people work on: it is theirs alone.
    makeFolders(dirname(path))
    closeSync(openSync(path, 'a', 0o600))
  }
  const found = statSync(path)
  if (!found.isFile()) throw new StoreFailedError({ file: path, failure: 'unreachable' })
  if (found.size > 0 && found.size < smallest) throw new NotAStoreError({ file: path })
  return realpathSync(path)
}

/** Whether a store can be written: its file, and the other files beside it. */
export function isWritable(path: string): boolean {
  if (path === inMemory) return true
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    accessSync(dirname(path), constants.W_OK)
    return true
  } catch {
    return false
  }
}

export function isEmpty(path: string): boolean {
  return path === inMemory || statSync(path).size === 0
}

/** Whether something stands in the write-ahead log: without it, the file says all. */
export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Another one after every change to the file. */
export function stampOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true })
  return [ino, size, mtimeNs, hasLog(path)].join()
}

/**
 * Makes a folder and those above it that are missing, for their owner alone, one after the other:
 * Node's own way to do it never ends below `/proc`.
 */
export function makeFolders(folder: string): void {
  const missing: string[] = []
  for (let path = folder; !existsSync(path); path = dirname(path)) missing.push(path)
  for (const path of missing.toReversed()) {
    try {
      mkdirSync(path, { mode: 0o700 })
    } catch (error) {
      // Another process may have been faster.
      if (!existsSync(path)) throw error
    }
  }
}
