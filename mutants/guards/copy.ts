import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../root.ts'

// Below the root, so that packages are found; `.cache` is outside git.
const place = join(root, `.cache/guards-${process.pid}`)
/** Tests of the package read from all of these. */
export const needed = [
  'packages/throughline',
  'bench',
  'docs',
  'examples',
  'scripts',
  'vitest.config.ts',
]
const unneeded = new Set(['node_modules', 'dist'])
// What the bench has written; the package has a folder of the same name.
const written = join(root, 'bench/report')

/** Copies what the package's tests need to a new folder, where guards may be deleted. */
export function copyOfWorkspace(): string {
  mkdirSync(place, { recursive: true })
  for (const name of needed) {
    cpSync(join(root, name), join(place, name), {
      recursive: true,
      filter: (from) => !unneeded.has(basename(from)) && from !== written,
    })
  }
  return place
}

export function removeCopy(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
