import { access, constants, realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { CommandError } from '../errors.ts'
import { pathFrom, shownPath } from '../paths.ts'
import { reasonOf } from './write-reason.ts'
import type { Stats } from 'node:fs'

// JSON.stringify escapes only C0 characters; these are just as dangerous in a terminal.
const unsafe = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** JSON that represents the value exactly and has no effect on a terminal. */
export function safeJson(value: unknown, indent = 2): string {
  return escapedJson(JSON.stringify(value, null, indent) ?? 'null')
}

/** The same for a text that is already JSON. */
export function escapedJson(json: string): string {
  return json.replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The destination of a command's output. */
export interface Target {
  /** As the user named it. */
  name: string
  /** The real file if the name is a symbolic link. */
  path: string
  /** An existing file or device. */
  existing: { mode: number; regular: boolean } | undefined
}

/** A file that a command reads and therefore must not overwrite: its path, and its description. */
export interface KeptFile {
  path: string
  is: string
}

export function storeFiles(store: string): KeptFile[] {
  return ['', '-wal', '-shm'].map((end) => ({ path: store + end, is: 'the session store' }))
}

export function sessionFile(path: string): KeptFile {
  return { path, is: 'the session itself, which is never changed' }
}

/**
 * Checks whether a file can be written, before any work is done for it.
 * @throws CommandError if it is a directory or a protected file, or can't be written.
 */
export async function targetAt(
  name: string,
  kept: readonly KeptFile[],
  cwd: string,
): Promise<Target> {
  const given = pathFrom(cwd, name)
  const stats = await statOf(given)
  if (stats?.isDirectory()) throw cannotWrite(name, 'this is a directory. Name a file in it.')
  for (const { path, is } of kept) {
    if (await isSameFile(given, pathFrom(cwd, path))) {
      throw cannotWrite(name, `this is ${is}. Use another name.`)
    }
  }
  if (!stats) {
    await checkAccess(name, dirname(given))
    return { name, path: given, existing: undefined }
  }
  await checkAccess(name, given)
  const regular = stats.isFile()
  const path = regular ? await realpath(given) : given
  if (regular) await checkAccess(name, dirname(path))
  return { name, path, existing: { mode: stats.mode & 0o777, regular } }
}

/** Whether two paths lead to the same file, even if it doesn't exist yet. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [mine, its] = [await statOf(one), await statOf(other)]
  if (mine && its) return mine.dev === its.dev && mine.ino === its.ino
  if (mine || its || basename(one) !== basename(other)) return false
  return isSameFile(dirname(one), dirname(other))
}

async function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined)
}

async function checkAccess(name: string, path: string): Promise<void> {
  try {
    await access(path, constants.W_OK)
  } catch (error) {
    throw cannotWrite(name, reasonOf(error))
  }
}

export function cannotWrite(name: string, reason: string): CommandError {
  return new CommandError(`-o ${shownPath(name)}: ${reason}`)
}
