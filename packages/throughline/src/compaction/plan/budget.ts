import { usableTokens, type Window } from '../../tokens/window.ts'
import type { Policy } from '../policy.ts'

/** The sizes that a compaction works to, in tokens. */
export interface Budget {
  window: number
  reserved: number
  usable: number
  threshold: number
  /** What the next request must come down to. */
  lowWater: number
  /** The most that summary and tail may hold together, by our own count (before its ratio). */
  keep: number
  /** The most that the tail should hold of it, counted alike. */
  tail: number
}

// A mark at the threshold would not end a compaction but ask for the next one.
const highestMark = 0.95

/**
 * `fixed` is what system prompt and tools hold: no compaction makes them smaller. `ratio` is
 * real tokens per counted token: what is kept must fit the real window.
 */
export function budgetOf(policy: Policy, window: Window, fixed: number, ratio: number): Budget {
  const reserved = policy.reserved(window)
  const usable = usableTokens(window, reserved)
  const threshold = policy.threshold(usable)
  const mark = Math.min(policy.lowWater(usable), Math.floor(threshold * highestMark))
  const left = Math.max(usable - fixed, 0)
  // Where the frame alone all but reaches the mark, half of what it leaves is the next best.
  const enough = Math.min(left / 4, mark / 2)
  const room = mark - fixed >= enough ? mark - fixed : Math.floor(left / 2)
  const lowWater = Math.max(mark, fixed + room)
  const keep = Math.min(policy.keep(usable), Math.floor(room / ratio))
  return {
    window: window.context,
    reserved,
    usable,
    threshold,
    lowWater,
    keep,
    tail: policy.tail(usable, keep),
  }
}
