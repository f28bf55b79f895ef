import { advanceLearned, emptyLearned } from '../compaction/learned.ts'
import { startingRatio } from '../tokens/calibration.ts'
import type { SessionRead } from '../formats/reading/read-session.ts'

/** Real tokens per estimated token for a session's model, as its log or its name tells. */
export function ratioOf({ log, facts }: Pick<SessionRead, 'log' | 'facts'>): number {
  const { ratios } = advanceLearned(emptyLearned(), log)
  return ratios.get(facts.model ?? '') ?? startingRatio(facts.model)
}
