import { authority, learnDirectory } from './directories.ts'
import { moveRoot } from './move-root.ts'
import type { IndexState } from '../fold-memory.ts'

/** A root has a name of its own: `/` and `/home` are none. */
const FEWEST_ROOT_SEGMENTS = 2
/** `src/index.ts` stands in every project; three segments are one place. */
const FEWEST_SEGMENTS = 3
/** A change says more about where the work is than a look. */
const CHANGE_VOTES = 4

/**
 * Guesses the session's root from files that are known by their absolute path, and whose
 * end the session also wrote as a relative path: what is left of it is the root. A guess
 * gives way to one that twice as much speaks for, and to whatever is known.
 */
export function guessRoot(index: IndexState, path: string, changed: boolean): void {
  const { memory } = index
  if (memory.rootAuthority > authority.guess) return
  const root = rootOf(index, path)
  if (root === undefined) return
  const votes = (memory.guesses.get(root) ?? 0) + (changed ? CHANGE_VOTES : 1)
  memory.guesses.set(root, votes)
  if (index.root === '') learnDirectory(index, root, authority.guess)
  else if (root !== index.root && votes > 2 * (memory.guesses.get(index.root) ?? 0)) {
    moveRoot(index, root)
  }
}

function rootOf(index: IndexState, path: string): string | undefined {
  if (!path.startsWith('/')) return index.root === '' ? undefined : index.root
  const segments = path.slice(1).split('/')
  for (let at = FEWEST_ROOT_SEGMENTS; at <= segments.length - FEWEST_SEGMENTS; at++) {
    if (index.names.has(segments.slice(at).join('/'))) return `/${segments.slice(0, at).join('/')}`
  }
  return undefined
}
