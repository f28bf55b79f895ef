import { sanitizeLine } from '../../log/sanitize.ts'
import { usage } from '../parse-arguments.ts'
import type { Seq } from '../../log/entry.ts'

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

/**
 * The number of an entry from an argument; `what` names the argument.
 * @throws UsageError
 */
export function seqIn(command: string, what: string, text: string): Seq {
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text)
  const shown = JSON.stringify(text.slice(0, 40))
  throw usage(command, `${what} must be the number of an entry, such as 12, not ${shown}`)
}
