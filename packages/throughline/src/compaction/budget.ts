import { usableTokens, type Window } from '../tokens/window.ts'
import type { Policy } from './policy.ts'

/** The sizes that a compaction works to, in tokens. */
export interface Budget {
  window: number
  reserved: number
  usable: number
  threshold: number
  lowWater: number
  /** The most that summary and tail may hold together, by our own count (before its ratio). */
  keep: number
  /** The most that the tail should hold of it, counted alike. */
  tail: number
}

/**
 * `fixed` is what system prompt and tools hold: no compaction makes them smaller. `ratio` is
 * real tokens per counted token: what is kept must fit the real window.
 */
export function budgetOf(policy: Policy, window: Window, fixed: number, ratio: number): Budget {
  const reserved = policy.reserved(window)
  const usable = usableTokens(window, reserved)
  const lowWater = policy.lowWater(usable)
  // Where the frame alone passes low water, half of what it leaves is the next best mark.
  const room = Math.max(lowWater - fixed, Math.floor((usable - fixed) / 2), 0)
  const keep = Math.min(policy.keep(usable), Math.floor(room / ratio))
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
