import { sanitizeLine } from '../log/sanitize.ts'
import { clipColumnsStart } from './terminal/columns.ts'

// Its end says more of a path than its beginning.
const longest = 120

/** A path as it stands in a message. */
export function shownPath(path: string): string {
  return clipColumnsStart(sanitizeLine(path.slice(-1000)), longest)
}
