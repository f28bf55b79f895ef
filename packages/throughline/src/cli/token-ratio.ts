import {
  advanceCalibrations,
  emptyCalibrations,
  ratioOf as ratioFor,
} from '../tokens/calibration.ts'
import type { SessionRead } from '../formats/reading/read-session.ts'

/** Tokens of the model per estimated token for a session's model, as its log or its name tells. */
export function ratioOf({ log, facts }: Pick<SessionRead, 'log' | 'facts'>): number {
  return ratioFor(advanceCalibrations(emptyCalibrations(), log), facts.model)
}
