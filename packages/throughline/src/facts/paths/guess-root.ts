import { isAbsolute } from './clean-path.ts'
import { authority, learnDirectory } from './directories.ts'
import { moveRoot } from './move-root.ts'
import type { FactsState } from '../fold-memory.ts'

/** A root has a name of its own: `/` and `/home` don't count. */
const FEWEST_ROOT_SEGMENTS = 2
/** `src/index.ts` exists in every project; three segments are one place. */
const FEWEST_SEGMENTS = 3
/** A change says more about where the work is than a look. */
const CHANGE_VOTES = 4

/**
 * Guesses the session's root from files whose absolute path is known and whose end the session also
 * wrote as a relative path: the rest is the root. A guess gives way to one with twice the evidence,
 * and to anything known.
 */
export function guessRoot(facts: FactsState, path: string, changed: boolean): void {
  const { memory } = facts
  if (memory.rootAuthority > authority.guess) return
  const root = rootOf(facts, path)
  if (root === undefined) return
  const votes = (memory.guesses.get(root) ?? 0) + (changed ? CHANGE_VOTES : 1)
  memory.guesses.set(root, votes)
  if (facts.root === '') learnDirectory(facts, root, authority.guess)
  else if (root !== facts.root && votes > 2 * (memory.guesses.get(facts.root) ?? 0)) {
    moveRoot(facts, root)
  }
}

function rootOf(facts: FactsState, path: string): string | undefined {
  if (!isAbsolute(path)) return facts.root === '' ? undefined : facts.root
  const segments = path.split('/')
  for (let at = FEWEST_ROOT_SEGMENTS + 1; at <= segments.length - FEWEST_SEGMENTS; at++) {
    if (facts.names.has(segments.slice(at).join('/'))) return segments.slice(0, at).join('/')
  }
  return undefined
}
