import { sanitizeLine } from '../log/sanitize.ts'
import { clipColumnsStart } from './terminal/columns.ts'
import { isAbsolute, join } from 'node:path'

// The end of a path says more than its beginning.
const longest = 120

export function shownPath(path: string): string {
  return clipColumnsStart(sanitizeLine(path.slice(-1000)), longest)
}

/** Resolves a path from the user against a directory. */
export function pathFrom(directory: string, path: string): string {
  return isAbsolute(path) ? path : join(directory, path)
}
