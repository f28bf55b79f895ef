import type { Counter } from '../../compaction/plan/measure.ts'
import { advanceLearned, emptyLearned } from '../../compaction/learned.ts'
import { startingRatio } from '../../tokens/calibration.ts'
import type { SessionRead } from '../../formats/reading/read-session.ts'

/**
 * The counter with its ratio worked in, so that what is added up from parts agrees with what
 * the core measures as a whole. Its figures are not whole: they are rounded where they are
 * shown.
 */
export function realCounter({ text, message, ratio }: Counter): Counter {
  return {
    text: (content) => text(content) * ratio,
    message: (content) => message(content) * ratio,
    ratio: 1,
  }
}

/** Real tokens per estimated token for a session's model, as its log or its name tells. */
export function ratioOf({ log, facts }: Pick<SessionRead, 'log' | 'facts'>): number {
  const { ratios } = advanceLearned(emptyLearned(), log)
  return ratios.get(facts.model ?? '') ?? startingRatio(facts.model)
}
