import { usage } from '../parse-arguments.ts'
import type { Seq } from '../../log/entry.ts'

const mostShown = 8

/**
 * Seqs as a reader sees them, with consecutive ones combined.
 * @example
 * seqRanges([3, 1, 2, 7]) // '1–3, 7'
 */
export function seqRanges(seqs: readonly Seq[]): string {
  const ranges: { from: Seq; to: Seq }[] = []
  for (const seq of [...seqs].sort((one, other) => one - other)) {
    const last = ranges.at(-1)
    if (last && seq <= last.to + 1) last.to = seq
    else ranges.push({ from: seq, to: seq })
  }
  const shown = ranges
    .slice(0, mostShown)
    .map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`))
  return [...shown, ...(ranges.length > mostShown ? ['…'] : [])].join(', ')
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

/** A ref without the brackets in which it is printed: `[12.0]`. */
export function bareRef(word: string): string {
  return word.replace(/^\[(.*)\]$/, '$1')
}

/** The error for a word that is no ref. */
export function notRef(command: string, word: string, what = 'a ref is'): Error {
  const shown = JSON.stringify(word.slice(0, 40))
  return usage(
    command,
    `${what} the number of an entry or of a part of it, such as 12 or 12.0, not ${shown}`,
  )
}
