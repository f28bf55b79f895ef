import { sanitizeLine } from '../log/sanitize.ts'
import { clipColumnsStart } from './terminal/columns.ts'
import { isAbsolute, join } from 'node:path'

// Its end says more of a path than its beginning.
const longest = 120

/** A path as it stands in a message. */
export function shownPath(path: string): string {
  return clipColumnsStart(sanitizeLine(path.slice(-1000)), longest)
}

/** A path as the user gave it, from the directory that it stands in. */
export function pathFrom(directory: string, path: string): string {
  return isAbsolute(path) ? path : join(directory, path)
}
