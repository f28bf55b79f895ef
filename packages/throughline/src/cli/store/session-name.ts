import { sanitizeLine } from '../../log/sanitize.ts'
import { clipColumns } from '../terminal/columns.ts'

const longest = 80

/**
 * The name of a session in a sentence, in the form that a command accepts: in quotes if a shell
 * would misread it.
 */
export function shownName(id: string): string {
  const name = clipColumns(sanitizeLine(id.slice(0, 1000)), longest)
  return /^[\w.:@+/-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`
}
