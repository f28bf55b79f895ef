import type { Prices } from './prices.ts'

/** What a family of models costs, where that is written, and when it was read. */
export interface PriceRow {
  /** The words of the model's name that every member of the family has in a row. */
  model: string
  /** US dollars per million tokens. */
  prices: Prices
  source: string
  /** Year and month. */
  read: string
}

const anthropic = 'platform.claude.com/docs/en/about-claude/pricing'

/** List prices of single requests: no batches, no priority, no surcharge for long ones. */
export const priceTable: readonly PriceRow[] = [
  // Claude. Writing to the cache of five minutes costs a quarter more, reading a tenth if nothing
  // else is said.
  claude('claude sonnet 4', 3, 15),
  claude('claude sonnet 5', 2, 10),
]

function claude(model: string, input: number, output: number, read = input / 10): PriceRow {
  return row(model, { input, output, cacheRead: read, cacheWrite: input * 1.25 }, anthropic)
}

function row(model: string, prices: Prices, source: string): PriceRow {
  return { model, prices, source, read: '2026-11' }
}
