import { cachePrices, pricesOf, usualPrices } from '../../tokens/prices.ts'
import type { Prices } from '../../tokens/price-table.ts'
import { least, modelTokens, most, share, type ModelTokens } from '../../tokens/units.ts'
import type { Pace } from '../measure/pace.ts'

/** What a policy that compacts where it costs least goes by. */
export interface Economy {
  /** Those of the session's model if they are not given; only their ratios decide. */
  prices?: Prices
  /** How many milliseconds the provider keeps a prefix after its last use; five minutes by default. */
  cacheLife?: number
}

/** Why a session is compacted at a size below its window. */
export interface BreakEven {
  /** The size at which a request costs least over the time to come. */
  at: ModelTokens
  /** What a compaction leaves. */
  left: ModelTokens
  /** US dollars for the input of a request, on the average, compacted at that size. */
  dollars: number
  /** The same, compacted only when the window is full. */
  dollarsWhenFull: number
  prices: Prices
  pace: Pace
}

// A compaction must be worth its while: what it leaves may be at most this part of the request.
const mostLeft = 0.9
// Where the cache has forgotten the session, a compaction breaks nothing. What it leaves is still
// summarized, so it must leave much less than there is.
const coldFactor = 1.3

interface Priced {
  prices: Prices | undefined
  model: string | undefined
  /**
   * US dollars for a model's summary, without what grows with the session: that is read once,
   * whenever it is summarized.
   */
  summary?: number
}

/**
 * The size at which compacting costs least. Between two compactions each request reads the session
 * from the cache, at `read`, and writes what is new; a compaction writes all that it leaves again,
 * at `write`. With `x` tokens between them and `g` more with each request, a request costs
 *
 *     read × (left + x / 2) + write × g + (write × left + summary) × g / x
 *
 * which is least at x = √(2 × g × (write × left + summary) / read). Where the cache often forgets the
 * session, its tokens are written again as often, and `read` is that much higher. The result is never
 * above what is usable, and never so low that less is kept.
 */
export function breakEven(
  { prices: given, model, summary = 0 }: Priced,
  pace: Pace,
  { left, usable }: { left: ModelTokens; usable: ModelTokens },
): BreakEven {
  const prices = given ?? (model === undefined ? undefined : pricesOf(model)) ?? usualPrices
  const { growth, coldShare, isCold } = pace
  const { read, write } = cachePrices(prices)
  const reading = (1 - coldShare) * read + coldShare * write
  const written = summary * 1_000_000
  const once = write * left + written
  const dollarsAt = (size: number): number => {
    const between = Math.max(size - left, 1)
    const microdollars = reading * (left + between / 2) + write * growth + (once * growth) / between
    return microdollars / 1_000_000
  }
  const lowest = share(left, 1 / mostLeft)
  const best = reading > 0 ? left + Math.sqrt((2 * growth * once) / reading) : Number(usable)
  // What is saved there must be worth the part of a summary's price that had not been used up yet.
  const worth = left + written / Math.max(write + written / Math.max(best - left, 1), 1e-9)
  const due = isCold ? Math.min(best, Math.max(left * coldFactor, worth)) : best
  const at = least(usable, most(lowest, modelTokens(Math.floor(Math.min(due, usable)))))
  return {
    at,
    left,
    dollars: dollarsAt(Math.min(best, usable)),
    dollarsWhenFull: dollarsAt(usable),
    prices,
    pace,
  }
}
