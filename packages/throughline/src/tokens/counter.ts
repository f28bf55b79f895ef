import { createMessageCounter, type CountTokens } from './message-tokens.ts'
import { estimateTokens } from './estimate.ts'
import { estimatedTokens, toModel, type EstimatedTokens, type ModelTokens } from './units.ts'
import type { Message } from '../log/message.ts'

/**
 * How a session counts. Its counts are estimates. Multiplied by `ratio`, they are tokens of the
 * session's model (`toModel`), the unit of windows and printed figures.
 */
export interface Counter {
  /** Estimated tokens of a text. */
  text: (text: string) => EstimatedTokens
  /** Estimated tokens of a whole message. */
  message: (message: Message) => EstimatedTokens
  /** Tokens of the model per estimated token. */
  ratio: number
}

/**
 * A counter of texts and messages by one count, the built-in estimator's unless another is given.
 * @param ratio tokens of the model per token that `count` counts.
 * @example
 * const counter = counterOf({ ratio: startingRatio('claude-opus-4-5') })
 * toModel(counter.text('Fix the login page.'), counter.ratio) // 7
 */
export function counterOf({
  count = estimateTokens,
  ratio,
}: {
  count?: CountTokens | undefined
  ratio: number
}): Counter {
  const message = createMessageCounter(count)
  return {
    text: (text) => estimatedTokens(count(text)),
    message: (each) => estimatedTokens(message(each)),
    ratio,
  }
}

/** Counts texts in tokens of the model. */
export function inModelTokens({ text, ratio }: Counter): (text: string) => ModelTokens {
  return (content) => toModel(text(content), ratio)
}
