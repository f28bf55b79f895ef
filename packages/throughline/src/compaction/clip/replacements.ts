import { estimatedTokens, minus, type EstimatedTokens } from '../../tokens/units.ts'
import type { Replacement } from '../../log/entry.ts'

/** Merges replacements: a later one overrides an earlier one for the same part. */
export function mergeReplacements(
  earlier: readonly Replacement[],
  later: readonly Replacement[],
): Replacement[] {
  const refs = new Set(later.map(({ ref }) => ref))
  return [...earlier.filter(({ ref }) => !refs.has(ref)), ...later]
}

/** The largest size at which texts of these sizes fit into `room`, if each is cut to it. */
export function commonCap(
  sizes: readonly EstimatedTokens[],
  room: EstimatedTokens,
): EstimatedTokens {
  const ascending = sizes.toSorted((a, b) => a - b)
  let left = room
  for (const [index, size] of ascending.entries()) {
    const each = estimatedTokens(Math.max(Math.floor(left / (ascending.length - index)), 0))
    if (size > each) return each
    left = minus(left, size)
  }
  return estimatedTokens(Infinity)
}
