import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

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
