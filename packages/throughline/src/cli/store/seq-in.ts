import { usage } from '../parse-arguments.ts'
import type { Seq } from '../../log/entry.ts'

/**
 * The number of an entry from an argument; `what` names the argument.
 * @throws UsageError
 */
export function seqIn(command: string, what: string, text: string): Seq {
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text)
  const shown = JSON.stringify(text.slice(0, 40))
  throw usage(command, `${what} must be the number of an entry, such as 12, not ${shown}`)
}
