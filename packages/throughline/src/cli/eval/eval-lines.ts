import { sanitizeLine } from '../../log/sanitize.ts'
import { factLines, type Fact } from '../terminal/facts.ts'
import { counted, withThousands } from '../terminal/numbers.ts'
import type { Evaluation } from '../../evaluation/evaluate.ts'
import type { SessionInput } from '../input/read-input.ts'
import type { Paint } from '../terminal/colour.ts'

/** Names of files or paths that a line shows. */
const shown = 5

/** What would be kept, for a reader. */
export function evalLines(
  { format, facts: { model } }: SessionInput,
  { keep, atCuts, lastTokens, series, recorded }: Evaluation,
  page: { width: number; paint: Paint },
): string[] {
  const { forwardNeed, kept, over, trail, invented, orphans } = atCuts
  const lines: Fact[] = [
    ['session', sanitizeLine(model === undefined ? format : `${format}, ${model}`)],
    [
      'kept',
      `${withThousands(kept.mean)} tokens, at most ${withThousands(kept.most)}; ${withThousands(keep)} were to be kept${over > 0 ? `, ${counted(over, 'cut')} went over that` : ''}`,
    ],
    ['forward need', forwardNeedText(forwardNeed, lastTokens.forwardNeed)],
    [
      'artifact trail',
      `${trail.right} of ${counted(trail.changed, 'changed file')} named with what happened${names(trail.missed)}`,
    ],
    ['invented paths', `${invented.length}${names(invented)}`],
    ['orphans', `${counted(orphans, 'call or result', 'calls or results')} without the other`],
    ['rules', rounds(series, ({ rules }) => rules)],
    ['first facts', rounds(series, ({ drift }) => drift)],
    ...recorded.map(({ harness, compactions, theirs, ours }): Fact => [
      `at ${counted(compactions, 'compaction')} of its own`,
      `${harness} kept ${percentOf(theirs.share)} of the needed in ${withThousands(theirs.tokens)} tokens; this policy ${percentOf(ours.share)} in ${withThousands(ours.tokens)}`,
    ]),
  ]
  return factLines(lines, page)
}

function forwardNeedText(
  { cuts, mean, worst }: Evaluation['atCuts']['forwardNeed'],
  last: Evaluation['atCuts']['forwardNeed'],
): string {
  if (cuts === 0) return 'nothing to go by: nowhere are ten things needed again'
  const least = worst ? percentOf(worst.held / worst.needed) : '0%'
  return `${percentOf(mean)} at ${counted(cuts, 'cut')}, ${least} at the worst; the newest tokens alone, as many, hold ${percentOf(last.mean)}`
}

function rounds(
  { after }: Evaluation['series'],
  share: (row: Evaluation['series']['after'][number]) => number,
): string {
  return after
    .map((row) => `${percentOf(share(row))} after ${row.rounds}`)
    .join(', ')
    .concat(' compactions in a row')
}

function names(all: readonly string[]): string {
  if (all.length === 0) return ''
  const more = all.length > shown ? `, and ${all.length - shown} more` : ''
  return `: ${all
    .slice(0, shown)
    .map((one) => sanitizeLine(one))
    .join(', ')}${more}`
}

/** A share as per cent, to a tenth: what is not all is never shown as 100%. */
export function percentOf(share: number): string {
  return share === 1 || share === 0
    ? `${share * 100}%`
    : `${Math.min(Number((share * 100).toFixed(1)), 99.9)}%`
}
