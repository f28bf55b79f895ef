import { shownName } from '../store/shown-name.ts'
import { seqRanges } from '../show/seq-ranges.ts'
import { counted } from '../terminal/numbers.ts'
import type { Holder } from '../../session/operations/leak.ts'

/** What would be done, as a question. */
export function questionText(holders: readonly Holder[], what: string): string {
  return `Redact ${what} in ${holders.map(holderText).join(', ')}? It cannot be brought back.`
}

/** What was done, and what was not. */
export function resultLines(
  done: readonly Holder[],
  left: readonly Holder[],
  source: string | undefined,
): (string | undefined)[] {
  return [
    ...done.map((holder) => `Redacted ${holderText(holder)}.`),
    left.length === 0 ? undefined : leftText(left),
    source === undefined
      ? undefined
      : `The file that it was imported from was left alone: ${source}`,
  ]
}

/** Where it still is. */
export function leftText(left: readonly Holder[]): string {
  const shown = left.slice(0, 5).map(holderText)
  const more = left.length > shown.length ? [`${left.length - shown.length} more`] : []
  return `Other sessions still hold it: ${[...shown, ...more].join(', ')}. --all-sessions redacts it in all.`
}

function holderText({ session, seqs }: Holder): string {
  const word = seqs.length === 1 ? 'entry' : counted(seqs.length, 'entry', 'entries')
  return seqs.length === 1
    ? `${word} ${seqs[0]} of ${shownName(session)}`
    : `${word} of ${shownName(session)} (${seqRanges(seqs)})`
}
