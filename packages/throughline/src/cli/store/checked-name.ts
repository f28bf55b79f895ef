import { sanitizeLine } from '../../log/sanitize.ts'
import { usage } from '../parse-arguments.ts'

// As long as a name of a file.
const longest = 200

/**
 * The name that `--as` gives to a session.
 * @throws UsageError
 */
export function checkedName(command: string, asked: string): string {
  if (canBeTyped(asked)) return asked
  throw usage(
    command,
    `--as takes a name of at most ${longest} characters that reads as what it is: without control characters, without spaces at its ends, and not beginning with -`,
  )
}

/** Whether a name reads as what it is, and is no option. */
export function canBeTyped(name: string): boolean {
  const plain = name !== '' && !name.startsWith('-') && sanitizeLine(name) === name
  return plain && name.length <= longest
}
