import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolders } from '../../stores/sqlite/connection/store-file.ts'

/**
 * Writes a file atomically, with any missing folders. A link stays a link: the file behind it is
 * written. Whoever reads meanwhile finds the old content or the new one.
 */
export function replaceFile(file: string, content: string | Uint8Array): void {
  makeFolders(dirname(file))
  const existing = statSync(file, { throwIfNoEntry: false })
  const path = existing ? realpathSync(file) : file
  const beside = join(dirname(path), `.throughline-${randomUUID()}.tmp`)
  try {
    const handle = openSync(beside, 'wx', 0o600)
    try {
      writeFileSync(handle, content)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    if (existing) chmodSync(beside, existing.mode & 0o777)
    renameSync(beside, path)
  } catch (error) {
    try {
      unlinkSync(beside)
    } catch {
      // It was never made, or is in its place.
    }
    throw error
  }
}

/** The folders that do not exist yet on the way to one, the deepest first. */
export function missingFolders(folder: string): string[] {
  const missing: string[] = []
  for (let path = folder; !existsSync(path) && dirname(path) !== path; path = dirname(path)) {
    missing.push(path)
  }
  return missing
}
