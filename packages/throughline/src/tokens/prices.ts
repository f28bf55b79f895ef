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
