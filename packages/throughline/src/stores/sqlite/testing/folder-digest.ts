import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The files of a folder, by content, without SQLite's index of its log, which holds no data. No
 * file may be open, because closing it here would release its locks.
 */
export function folderDigest(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => !name.endsWith('-shm'))
  return Object.fromEntries(names.toSorted().map((name) => [name, digestOf(join(folder, name))]))
}

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
