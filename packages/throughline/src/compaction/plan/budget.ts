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
import type { Pace } from '../measure/pace.ts'
import type { Policy } from '../policy.ts'

/** The sizes that a compaction works to, in tokens of the model. */
export interface Budget {
  window: ModelTokens
  reserved: ModelTokens
  usable: ModelTokens
  threshold: ModelTokens
  /** The size to which the next request must shrink. */
  lowWater: ModelTokens
  /** What the mark leaves beside system prompt and tools. */
  room: ModelTokens
  /** The most that summary and tail may hold together. */
  keep: ModelTokens
  /** The most that the tail should hold of it. */
  tail: ModelTokens
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
    standing: modelTokens(policy.standing(usable)),
    ...(even && { breakEven: even }),
  }
}

/** What is kept is not a matter of money: a compaction leaves as much as without an economy. */
function cheapest(
  policy: Policy,
  { usable, fixed }: { usable: ModelTokens; fixed: ModelTokens },
  { pace, model }: Paced,
): BreakEven {
  const left = least(usable, plus(fixed, modelTokens(policy.keep(usable))))
  return breakEven({ prices: policy.economy?.prices, model }, pace, { left, usable })
}
