import { toModelShare, type ModelTokens } from '../../tokens/units.ts'
import {
  advanceCalibrations,
  emptyCalibrations,
  ratioOf as ratioFor,
} from '../../tokens/calibration.ts'
import type { Message } from '../../log/message.ts'
import type { Counter } from '../../tokens/counter.ts'
import type { SessionRead } from '../../formats/reading/read-session.ts'

/** Counts in tokens of the model. */
export interface RealCounter {
  text: (text: string) => ModelTokens
  message: (message: Message) => ModelTokens
}

/**
 * The counter multiplied by its ratio, so that sums of parts agree with what the core measures as a
 * whole. Its figures are fractions; they are rounded when shown.
 */
export function realCounter({ text, message, ratio }: Counter): RealCounter {
  return {
    text: (content) => toModelShare(text(content), ratio),
    message: (content) => toModelShare(message(content), ratio),
  }
}

/** Tokens of the model per estimated token for a session's model, as its log or its name tells. */
export function ratioOf({ log, facts }: Pick<SessionRead, 'log' | 'facts'>): number {
  return ratioFor(advanceCalibrations(emptyCalibrations(), log), facts.model)
}
