import { lastTokens } from './baselines.ts'
import { sizesWithin } from './cuts.ts'
import { measureAtCuts, questionsOf, type Result } from './measure.ts'
import { measureSeries, type SeriesResult } from './series.ts'
import { byHarness, measureRecorded, type HarnessRecord } from './recorded.ts'
import type { Compactor } from './throughline-compactor.ts'
import type { MeasuredSession } from './measured-session.ts'

/** What compacting one session would keep of it. */
export interface Evaluation {
  /** The most that may be kept, in tokens (bytes/4). */
  keep: number
  /** At one compaction, at each cut. */
  atCuts: Result
  /** The same number of newest tokens alone: what is kept when nothing is selected. */
  lastTokens: Result
  /** At many compactions in a row. */
  series: SeriesResult
  /** At the compactions that the session recorded, if its harness made any. */
  recorded: HarnessRecord[]
}

/**
 * Measures what a compactor keeps of one session. No model is called, and the same session gives
 * the same figures.
 *
 * @example
 * const evaluation = await evaluate(session, { compactor: throughline, keep: 8_000 })
 * evaluation.atCuts.forwardNeed.mean // 0.96
 */
export async function evaluate(
  session: MeasuredSession,
  { compactor, keep }: { compactor: Compactor; keep: number },
): Promise<Evaluation> {
  const generic = new Set<string>()
  const questions = questionsOf([session], generic, sizesWithin(session))
  return {
    keep,
    atCuts: await measureAtCuts(compactor, questions, keep),
    lastTokens: await measureAtCuts(lastTokens, questions, keep),
    series: await measureSeries(compactor, [session], keep),
    recorded: byHarness(await measureRecorded(compactor, [session], generic)),
  }
}
