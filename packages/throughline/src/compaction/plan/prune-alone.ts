import { cachePrices, costOf, pricesOf, usualPrices } from '../../tokens/prices.ts'
import type { Prices } from '../../tokens/price-table.ts'
import { cacheLife } from '../../tokens/session-cost.ts'
import { measureFrom } from '../measure/measure.ts'
import { paceOf, type Pace } from '../measure/pace.ts'
import { sizeAfter } from '../measure/unit-tokens.ts'
import { summaryRequestSize } from '../summary/with-model/request-size.ts'
import { summaryRoleOf } from '../render/summary-block.ts'
import { least, minus, plus, type ModelTokens } from '../../tokens/units.ts'
import type { BegunPlan, PlanBase, PlanInput, PlannedPruning } from './plan.ts'
import type { PruneWeighed } from './prune-pays.ts'
import type { PlannedCut } from '../cut/planned-cut.ts'
import type { PricedSummarizer } from '../summary/with-model/summarizer.ts'

/** What a compaction does to the requests that follow. */
interface Outcome {
  /** The size of the next request. */
  leaves: ModelTokens
  /** What of it the provider has not cached any more. */
  broken: ModelTokens
  /** US dollars for the compaction itself. */
  dollars: number
}

/** How the session goes on. */
interface Course {
  prices: Prices
  pace: Pace
  /** The size at which the next compaction is due. */
  due: ModelTokens
}

/**
 * US dollars for the input of a request, on the average until the next compaction is due. Each
 * request reads from the cache what is there and writes what is new; the first also writes what was
 * broken.
 */
export function dollarsARequest(
  { leaves, broken, dollars }: Outcome,
  { prices, pace: { growth, coldShare }, due }: Course,
): number {
  const { read, write } = cachePrices(prices)
  const reading = (1 - coldShare) * read + coldShare * write
  const grown = Math.max(due - leaves, growth)
  const once = (Math.max(write - read, 0) * broken) / 1_000_000 + dollars
  return (reading * (leaves + grown / 2) + write * growth) / 1_000_000 + (once * growth) / grown
}

/** A prune that makes enough room, compared with the summary that would be made instead. */
export function weighPrune(
  input: PlanInput,
  { units, measurement, budget, cold }: BegunPlan,
  { pruning, cut }: { pruning: PlannedPruning; cut: PlannedCut },
): PruneWeighed {
  const { context, log, counter, frame, policy, summarizer } = input
  const { economy } = policy
  const known = economy?.prices ?? (frame.model === undefined ? undefined : pricesOf(frame.model))
  const prices = known ?? usualPrices
  const pace = paceOf(context, log, counter, economy?.cacheLife ?? cacheLife)
  const isCold = pace.isCold || cold !== undefined
  const course: Course = { prices, pace, due: budget.threshold }
  const fixed = plus(measurement.system, measurement.tools)
  const pruned = sizesPruned(input, measurement, pruning)
  const left = plus(fixed, least(budget.keep, plus(cut.tailTokens, cut.summaryBudget)))
  return {
    pruned: dollarsARequest(
      { leaves: pruned.size, broken: isCold ? pruned.size : pruned.broken, dollars: 0 },
      course,
    ),
    summarized: dollarsARequest(
      {
        leaves: left,
        broken: isCold ? left : minus(left, fixed),
        dollars: summarizer ? summaryDollars(summarizer) : 0,
      },
      course,
    ),
    pricesKnown: known !== undefined,
  }

  function summaryDollars({ prices: own = prices, readsLive }: PricedSummarizer): number {
    const { head, beside, answer } = summaryRequestSize(cut, { units, policy, counter })
    const ofHead = costOf({ inputTokens: head + beside, outputTokens: answer }, own)
    if (!readsLive) return ofHead
    const live = measurement.tokens
    const usage = {
      inputTokens: live + beside,
      outputTokens: answer,
      cacheReadTokens: isCold ? 0 : live,
    }
    return Math.min(ofHead, costOf(usage, own))
  }
}

/**
 * The next request after a prune, and how much of it comes from the first pruned part on. It is
 * reckoned from what the context holds now: to build the other one would take long.
 */
function sizesPruned(
  input: PlanInput,
  measurement: PlanBase['measurement'],
  { replacements, freed }: PlannedPruning,
): { size: ModelTokens; broken: ModelTokens } {
  const { counter, policy } = input
  const { items } = input.context
  const now = sizeAfter(input, measurement, items)
  const first = replacements.reduce(
    (least, { ref }) => Math.min(least, Number.parseInt(ref, 10)),
    Infinity,
  )
  const from = measureFrom(items, first, counter, summaryRoleOf(policy))
  return { size: minus(now, freed), broken: minus(from, freed) }
}
