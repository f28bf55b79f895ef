import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** All files below a folder, by their relative paths. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}
