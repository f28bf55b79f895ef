import {
  estimatedTokens,
  modelTokens,
  type EstimatedTokens,
  type ModelTokens,
} from '../../../tokens/units.ts'
import type { Window } from '../../../tokens/window.ts'

/** How a summarizer's model counts tokens, and its limits. */
export interface Sizing {
  window: Window
  /** Tokens of the model per estimated token. */
  ratio: number
}

// A summary that is a quarter too large is rejected because of its size, which tells the model more
// than cutting it off would.
const overBudget = 1.25

// Models that think count their thinking as output.
const mostThought = 8_192

// The ratio of a model that hasn't answered yet is off by a few percent.
const certain = 0.9

/**
 * The limit for an answer, in tokens of the model: a summary of `budget` is not cut off, and one
 * that never ends is.
 * @example
 * answerLimit(estimatedTokens(2_000), { window: { context: 200_000 }, ratio: 1 }) // 10692
 */
export function answerLimit(budget: EstimatedTokens, { window, ratio }: Sizing): ModelTokens {
  const thoughts = Math.min(mostThought, Math.floor(window.context / 16))
  const wanted = Math.ceil(budget * ratio * overBudget) + thoughts
  const most = Math.min(window.output ?? Infinity, Math.floor(window.context / 2))
  return modelTokens(Math.min(wanted, most))
}

/**
 * How much one request may read, estimated: the window minus the answer and minus what is sent
 * `beside` it. Negative if nothing fits.
 */
export function readingRoom(
  { window, ratio }: Sizing,
  { answer, beside }: { answer: ModelTokens; beside: EstimatedTokens },
): EstimatedTokens {
  const question = Math.min(window.context - answer, window.input ?? window.context)
  return estimatedTokens(Math.floor((question * certain) / ratio) - beside)
}
