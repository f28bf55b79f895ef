import {
  least,
  minus,
  modelTokens,
  most,
  plus,
  share,
  type ModelTokens,
} from '../../tokens/units.ts'
import { breakEven, type BreakEven } from './break-even.ts'
import { usableTokens, type Window } from '../../tokens/window.ts'
import { costOf, pricesOf, usualPrices } from '../../tokens/prices.ts'
import type { Prices } from '../../tokens/price-table.ts'
import { answerTokensFor } from '../summary/with-model/request-size.ts'
import type { Pace } from '../measure/pace.ts'
import type { Policy } from '../policy.ts'
import type { PricedSummarizer } from '../summary/with-model/summarizer.ts'

/** The sizes that a compaction works to, in tokens of the model. */
export interface Budget {
  window: ModelTokens
  reserved: ModelTokens
  usable: ModelTokens
  threshold: ModelTokens
  /** The size to which the next request must shrink. */
  lowWater: ModelTokens
  /** What the low-water mark leaves next to system prompt and tools. */
  room: ModelTokens
  /** The most that summary and tail may hold together. */
  keep: ModelTokens
  /** The most that the tail should hold of it. */
  tail: ModelTokens
  /** The most that it may hold where the summary leaves room. */
  longestTail: ModelTokens
  /** The most that pins and rules hold together; where there are more rules, they are clipped. */
  standing: ModelTokens
  /** Where the policy compacts at the size that costs least: why it is that size. */
  breakEven?: BreakEven
}

// With a mark at the threshold, one compaction would immediately ask for the next.
const highestMark = 0.95

/** Whose pace it is, for a policy that goes by it. */
export interface Paced {
  pace: Pace
  model: string | undefined
  /** Who would be asked for a summary; without one, code writes it. */
  summarizer?: PricedSummarizer | undefined
}

/** `fixed` is what system prompt and tools hold: no compaction makes them smaller. */
export function budgetOf(
  policy: Policy,
  window: Window,
  fixed: ModelTokens,
  paced?: Paced,
): Budget {
  const reserved = modelTokens(policy.reserved(window))
  const usable = modelTokens(usableTokens(window, reserved))
  const full = modelTokens(policy.threshold(usable))
  const even = paced && policy.economy && cheapest(policy, { usable, fixed }, paced)
  const threshold = even ? least(full, even.at) : full
  const highest = least(modelTokens(policy.lowWater(usable)), share(threshold, highestMark))
  // A prune that frees little would break the cache for little.
  const mark = even ? least(highest, share(plus(even.left, threshold), 0.5)) : highest
  const left = most(minus(usable, fixed), modelTokens(0))
  // If system prompt and tools almost reach the mark, half of the remaining room is the next best
  // mark.
  const enough = Math.min(left / 4, mark / 2)
  const room = minus(mark, fixed) >= enough ? minus(mark, fixed) : share(left, 0.5)
  const keep = share(least(modelTokens(policy.keep(usable)), room), 1)
  return {
    window: modelTokens(window.context),
    reserved,
    usable,
    threshold,
    lowWater: most(mark, plus(fixed, room)),
    room,
    keep,
    tail: modelTokens(policy.tail(usable, keep)),
    longestTail: modelTokens(policy.longestTail(usable, keep)),
    standing: modelTokens(policy.standing(usable)),
    ...(even && { breakEven: even }),
  }
}

/** What is kept is the policy's matter: here it is only where the next compaction costs least. */
function cheapest(
  policy: Policy,
  { usable, fixed }: { usable: ModelTokens; fixed: ModelTokens },
  { pace, model, summarizer }: Paced,
): BreakEven {
  const keep = modelTokens(policy.keep(usable))
  const tail = modelTokens(policy.tail(usable, keep))
  const left = least(usable, plus(fixed, keep))
  const { prices } = policy.economy ?? {}
  const known = prices ?? (model === undefined ? undefined : pricesOf(model)) ?? usualPrices
  const summary = summarizer && leastForSummary(summarizer, known, { left, keep, tail })
  return breakEven({ prices: known, model, ...(summary !== undefined && { summary }) }, pace, {
    left,
    usable,
  })
}

/** What a model's summary costs of what the last compaction left, in US dollars. */
function leastForSummary(
  { prices: own, readsLive = false }: PricedSummarizer,
  prices: Prices,
  { left, keep, tail }: { left: ModelTokens; keep: ModelTokens; tail: ModelTokens },
): number {
  const asked = own ?? prices
  const outputTokens = answerTokensFor(minus(keep, tail))
  if (!readsLive) return costOf({ inputTokens: minus(left, tail), outputTokens }, asked)
  return costOf({ inputTokens: left, outputTokens, cacheReadTokens: left }, asked)
}
