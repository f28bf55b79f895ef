import { priceTable } from './price-table.ts'
import { rowFinder } from './row-finder.ts'
import type { Usage } from '../log/entry.ts'

/** What a model costs: US dollars per million tokens. */
export interface Prices {
  input: number
  output: number
  /** Of input that its provider had in its cache; a tenth of `input` where it is not said. */
  cacheRead?: number
  /** Of input that goes into the cache; a quarter more than `input` where it is not said. */
  cacheWrite?: number
}

// Anthropic's factors for a cache of five minutes. Elsewhere a table says what is different.
const cacheReadFactor = 0.1
const cacheWriteFactor = 1.25

const rowOf = rowFinder(priceTable, isSameModel)

// What a name may have behind the model's own words: `-latest`, `-preview-05-06`, `-20250929-v1:0`.
const sameModel = /^(?:(?:latest|preview|exp|0\d) ?)*(?:\d{4,}.*)?$/

/** A variant, `-mini` or `.1`, has prices of its own; nobody's are a guess at another's. */
function isSameModel(rest: readonly string[]): boolean {
  return sameModel.test(rest.join(' '))
}

/**
 * The list prices of a well-known model, by its name alone: without discounts, surcharges for long
 * requests, or what another host takes for it. `undefined` for one that the table does not hold:
 * a newer model of the same family may cost anything.
 * @example
 * pricesOf('claude-sonnet-4-5-20250929') // { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
 */
export function pricesOf(model: string): Prices | undefined {
  const prices = rowOf(model)?.prices
  return prices && { ...prices }
}

/**
 * What a usage costs, in US dollars. Cached tokens are part of the input, as in {@link Usage};
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

/** What reading and writing a provider's cache cost, in US dollars per million tokens. */
export function cachePrices({ input, cacheRead, cacheWrite }: Prices): {
  read: number
  write: number
} {
  return {
    read: cacheRead ?? input * cacheReadFactor,
    write: cacheWrite ?? input * cacheWriteFactor,
  }
}
