import { randomBytes } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
  statSync,
  mkdirSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { NotAStoreError, StoreFailedError } from '../errors.ts'

/** A store that lives in memory. */
const inMemory = ':memory:'

// One page. SQLite would treat a shorter file as empty and overwrite it.
const smallest = 512

/**
 * The real file behind any links, because SQLite keeps its other files next to it. If there is
 * none, an empty one is created. An absolute path is never treated as a URL.
 * @throws StoreFailedError, NotAStoreError, or an error of the file system.
 */
export function storeFile(file: string): string {
  if (file === inMemory) return file
  const path = resolve(file)
  if (!existsSync(path)) {
    // A session contains private work, so only its owner may access it.
    makeFolders(dirname(path))
    closeSync(openSync(path, 'a', 0o600))
  }
  const found = statSync(path)
  if (!found.isFile()) throw new StoreFailedError({ file: path, failure: 'unreachable' })
  if (found.size > 0 && found.size < smallest) throw new NotAStoreError({ file: path })
  return realpathSync(path)
}

/** Whether a store can be written: its file, and the other files next to it. */
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

/** Whether the write-ahead log has content; without it, the file is complete. */
export function hasLog(path: string): boolean {
  return logSize(path) > 0
}

/** The size of the write-ahead log, in bytes. */
export function logSize(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

/** Changes whenever the file changes. */
export function stampOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true })
  return [ino, size, mtimeNs, hasLog(path)].join()
}

/**
 * Creates a folder and its missing parents one by one, accessible only to their owner. Node's own
 * function for this never returns below `/proc`.
 */
export function makeFolders(folder: string): void {
  const missing: string[] = []
  for (let path = folder; !existsSync(path); path = dirname(path)) missing.push(path)
  for (const path of missing.toReversed()) {
    try {
      mkdirSync(path, { mode: 0o700 })
    } catch (error) {
      // Another process may have created it first.
      if (!existsSync(path)) throw error
    }
  }
}

// Enough for what the write-ahead log holds that isn't in the file yet, for the small files of an
// open store, and for what a redaction or a deletion writes at a time.
const spareSize = 3_670_016
let spareBytes: Buffer | undefined

function spareFile(path: string): string {
  return `${path}-spare`
}

export function hasSpare(path: string): boolean {
  return path !== inMemory && existsSync(spareFile(path))
}

/**
 * Keeps a little room in reserve beside a store, so that a secret or a session can be removed from
 * it when the disk is full. `leave` is how much must be left of the disk, in bytes.
 */
export function keepSpare(path: string, leave = spareSize * 3): void {
  if (path === inMemory || existsSync(spareFile(path))) return
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    if (bavail * bsize < spareSize + leave) return
    spareBytes ??= randomBytes(spareSize)
    // Nothing that a file system could store in less room.
    writeFileSync(spareFile(path), spareBytes, { mode: 0o600, flag: 'wx' })
  } catch {
    // It is a help and no part of the store; another process may also have made it.
  }
}

/** Gives the room back to the disk. */
export function releaseSpare(path: string): void {
  if (path !== inMemory) rmSync(spareFile(path), { force: true })
}
