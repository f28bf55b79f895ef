import { usableTokens, type Window } from '../tokens/window.ts'
import type { Policy } from './policy.ts'

/** The sizes that a compaction works to, in tokens. */
export interface Budget {
  window: number
  reserved: number
  usable: number
  threshold: number
  lowWater: number
  /** The most that summary and tail may hold together. */
  keep: number
  tail: number
}

/** `fixed` is what system prompt and tools hold: no compaction makes them smaller. */
export function budgetOf(policy: Policy, window: Window, fixed: number): Budget {
  const reserved = policy.reserved(window)
  const usable = usableTokens(window, reserved)
  const lowWater = policy.lowWater(usable)
  // Where the frame alone passes low water, half of what it leaves is the next best mark.
  const room = Math.max(lowWater - fixed, Math.floor((usable - fixed) / 2), 0)
  const keep = Math.min(policy.keep(usable), room)
  return {
    window: window.context,
    reserved,
    usable,
    threshold: policy.threshold(usable),
    lowWater,
    keep,
    tail: policy.tail(usable, keep),
  }
}
