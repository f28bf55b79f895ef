import type { Evaluation } from '../../evaluation/evaluate.ts'
import type { SessionInput } from '../input/read-input.ts'

/** The object of `eval --json`. */
export function evalJson(
  session: SessionInput,
  { keep, atCuts, lastTokens, series, recorded }: Evaluation,
) {
  const { forwardNeed, kept, over, trail, invented, orphans } = atCuts
  const measured = forwardNeed.cuts > 0
  return {
    version: 1,
    session: { name: session.name, format: session.format, entries: session.log.length },
    keep,
    forwardNeed: {
      share: measured ? forwardNeed.mean : null,
      cuts: forwardNeed.cuts,
      worst: forwardNeed.worst ?? null,
      lastTokens: measured ? lastTokens.forwardNeed.mean : null,
    },
    kept,
    over,
    trail,
    invented,
    orphans,
    series: series.after,
    recorded,
    skipped: { count: session.skippedCount, lines: session.skipped },
  }
}
