declare const unit: unique symbol

/** Tokens as our estimator, or the counter that was plugged in, counts a text. */
export type EstimatedTokens = number & { readonly [unit]: 'estimated' }

/**
 * Tokens as the session's model counts them: the unit of windows, of usage, of every figure that
 * a user gives or sees.
 */
export type ModelTokens = number & { readonly [unit]: 'model' }

/**
 * A number of tokens in one of the two units. Neither is accepted in place of the other, and a sum
 * of both has no unit. Only `<` and `>` accept any two numbers, so convert before comparing.
 */
export type Tokens = EstimatedTokens | ModelTokens

/** A number that has no unit yet; a number with a unit can't be given another. */
export type Plain = number & { readonly [unit]?: never }

/** What our counter said. */
export function estimatedTokens(count: Plain): EstimatedTokens {
  return count as number as EstimatedTokens
}

/** What a provider or a user said. */
export function modelTokens(count: Plain): ModelTokens {
  return count as number as ModelTokens
}

/**
 * Converts an estimate to tokens of the model, rounded up; `ratio` is tokens of the model per
 * estimated token.
 * @example
 * toModel(estimatedTokens(1_000), 1.3) // 1300
 */
export function toModel(tokens: EstimatedTokens, ratio: number): ModelTokens {
  return modelTokens(Math.ceil(tokens * ratio))
}

/** The same, not rounded: for parts that are added up and shown beside their sum. */
export function toModelShare(tokens: EstimatedTokens, ratio: number): ModelTokens {
  return modelTokens(tokens * ratio)
}

/**
 * The largest estimate that fits in `tokens` of the model: `toModel` of the result never exceeds
 * that room.
 * @example
 * toEstimated(modelTokens(20_000), 1.3) // 15384
 */
export function toEstimated(tokens: ModelTokens, ratio: number): EstimatedTokens {
  const most = Math.floor(tokens / ratio)
  // A quotient that was rounded to a whole number may be one too many.
  return estimatedTokens(Math.ceil(most * ratio) > tokens ? most - 1 : most)
}

/** How many estimated tokens must be removed to free `tokens` of the model, rounded up. */
export function toFree(tokens: ModelTokens, ratio: number): EstimatedTokens {
  return estimatedTokens(Math.ceil(tokens / ratio))
}

/** The sum, in the unit of the first. */
export function plus<T extends Tokens>(first: T, ...others: NoInfer<T>[]): T {
  return others.reduce<number>((sum, tokens) => sum + tokens, first) as T
}

/** The difference; negative where more is taken off than there is. */
export function minus<T extends Tokens>(from: T, ...taken: NoInfer<T>[]): T {
  return taken.reduce<number>((left, tokens) => left - tokens, from) as T
}

/** The smallest. */
export function least<T extends Tokens>(first: T, ...others: NoInfer<T>[]): T {
  return Math.min(first, ...others) as T
}

/** The largest. */
export function most<T extends Tokens>(first: T, ...others: NoInfer<T>[]): T {
  return Math.max(first, ...others) as T
}

/** A part of it, rounded down. */
export function share<T extends Tokens>(of: T, part: number): T {
  return Math.floor(of * part) as T
}

/** The sum of estimates. */
export function sumEstimated(all: Iterable<EstimatedTokens>): EstimatedTokens {
  let sum = 0
  for (const tokens of all) sum += tokens
  return estimatedTokens(sum)
}
