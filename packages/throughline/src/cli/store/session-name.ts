import { sanitizeLine } from '../../log/sanitize.ts'
import { clipColumns } from '../terminal/columns.ts'
import { usage } from '../parse-arguments.ts'

const longestShown = 80

/**
 * The name of a session in a sentence, in the form that a command accepts: in quotes if a shell
 * would misread it.
 */
export function shownName(id: string): string {
  const name = clipColumns(sanitizeLine(id.slice(0, 1000)), longestShown)
  return /^[\w.:@+/-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`
}

// Shorter beginnings are typos.
export const shortestBeginning = 4

/** The first of some names, and how many more there are. */
export function someNames(names: readonly string[], most = 5): string {
  const more = names.length > most ? [`${names.length - most} more`] : []
  return [...names.slice(0, most), ...more].join(', ')
}

// As long as a file name may be.
const longest = 200

/**
 * The name that `--as` gives to a session.
 * @throws UsageError
 */
export function checkedName(command: string, asked: string): string {
  if (canBeTyped(asked)) return asked
  throw usage(
    command,
    `--as must be a plain name of at most ${longest} characters: no control characters, no spaces at the ends, no - at the beginning`,
  )
}

/** Whether a name shows what it is, and isn't an option. */
export function canBeTyped(name: string): boolean {
  const plain = name !== '' && !name.startsWith('-') && sanitizeLine(name) === name
  return plain && name.length <= longest
}
