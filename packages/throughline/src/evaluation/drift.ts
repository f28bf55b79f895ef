import { namesOf } from './words.ts'
import { keptText, type Compacted } from './compactor.ts'

/**
 * The share of the facts that are kept after the first compaction and still after a later
 * one, while the session goes on. A fact is a path or an identifier: what can be told
 * apart without a model. Facts may rightly fade as the work moves on, so this is read
 * beside forward need, which says whether those that were needed were held.
 */
export function stillHeld(
  first: Compacted,
  later: Compacted,
  directories: readonly string[],
): number {
  const facts = namesOf(keptText(first), directories)
  if (facts.size === 0) return 1
  const kept = namesOf(keptText(later), directories)
  return [...facts].filter((fact) => kept.has(fact)).length / facts.size
}
