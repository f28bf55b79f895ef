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
 * The counter with its ratio worked in, so that what is added up from parts agrees with what
 * the core measures as a whole. Its figures are not whole: they are rounded where they are
 * shown.
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
