import { priceTable, type Prices } from './price-table.ts'
import { rowFinder } from './windows.ts'
import type { Usage } from '../log/entry.ts'

// Anthropic's factors for a five-minute cache. For other providers, the table gives the
// differences.
const cacheReadFactor = 0.1
const cacheWriteFactor = 1.25

/** What most models' prices are to each other. */
export const usualPrices: Prices = { input: 3, output: 15 }

const rowOf = rowFinder(priceTable, isSameModel)

// What may follow the model's own words in a name: `-latest`, `-preview-05-06`, `-20250929-v1:0`.
const sameModel = /^(?:(?:latest|preview|exp|0\d) ?)*(?:\d{4,}.*)?$/

/** A variant, `-mini` or `.1`, has its own prices; no price is better than a guess. */
function isSameModel(rest: readonly string[]): boolean {
  return sameModel.test(rest.join(' '))
}

/**
 * The list prices of a well-known model, by its name alone: without discounts, surcharges for long
 * requests, or another host's prices. `undefined` for a model that isn't in the table, because a
 * newer model of the same family may cost anything.
 * @example
 * pricesOf('claude-sonnet-4-5-20250929') // { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
 */
export function pricesOf(model: string): Prices | undefined {
  const prices = rowOf(model)?.prices
  return prices && { ...prices }
}

/**
 * The cost of a usage in US dollars. Cached tokens are part of the input, as in {@link Usage};
 * reasoning is part of the output.
 * @example
 * costOf({ inputTokens: 100_000, outputTokens: 1_000 }, { input: 3, output: 15 }) // 0.315
 */
export function costOf(usage: Usage, prices: Prices): number {
  const { read, write } = cachePrices(prices)
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  const fresh = Math.max(inputTokens - cacheReadTokens - cacheWriteTokens, 0)
  const microdollars =
    fresh * prices.input +
    cacheReadTokens * read +
    cacheWriteTokens * write +
    outputTokens * prices.output
  return microdollars / 1_000_000
}

/**
 * The tokens of an answer: as its provider counted them, or `own`, by our count, where they are fewer
 * than half of that. Some clients note what had been answered when the stream began.
 * @example
 * answerTokens({ inputTokens: 9_000, outputTokens: 3 }, 700) // 700
 */
export function answerTokens({ outputTokens }: Usage, own: number): number {
  return outputTokens < own / 2 ? own : outputTokens
}

/** The prices of reading and writing a provider's cache, in US dollars per million tokens. */
export function cachePrices({ input, cacheRead, cacheWrite }: Prices): {
  read: number
  write: number
} {
  return {
    read: cacheRead ?? input * cacheReadFactor,
    write: cacheWrite ?? input * cacheWriteFactor,
  }
}
