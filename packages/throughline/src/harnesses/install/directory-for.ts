import { realpath, stat } from 'node:fs/promises'
import type { posix } from 'node:path'

/**
 * The directory in which a session continues: its own, if that is a directory on this machine, else
 * the current one. A session may name anything, so its directory is only checked for existence, and
 * no other machine is contacted.
 */
export async function directoryFor(
  recorded: string | undefined,
  otherwise: string,
  path: typeof posix,
): Promise<string> {
  if (recorded === undefined || !isPlain(recorded, path)) return otherwise
  return (await isDirectory(recorded)) ? recorded : otherwise
}

const longest = 4096

function isPlain(directory: string, path: typeof posix): boolean {
  if (directory.length > longest || directory.includes('\0')) return false
  const isShare = /^[\\/]{2}/.test(directory)
  return path.isAbsolute(directory) && !isShare && path.normalize(directory) === directory
}

/** The real directory behind a path that the user named; `undefined` if there is none. */
export async function realDirectory(directory: string): Promise<string | undefined> {
  try {
    const real = await realpath(directory)
    return (await stat(real)).isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
