import { isAbsolute, joinPath } from '../paths/clean-path.ts'
import type { Effect } from '../lens.ts'

/**
 * An effect with its paths meant from the directory in which the command ran; `git` is what
 * `git -C` adds to it. `undefined` where that directory is not known and the path is relative.
 */
export function placeEffect(
  effect: Effect,
  directory: string | undefined,
  git?: string,
): Effect | undefined {
  if (!('path' in effect) || effect.path === undefined) return effect
  const path = placePath(effect.path, directory, git)
  if (path === undefined) return undefined
  if (effect.type !== 'rename') return { ...effect, path }
  const to = placePath(effect.to, directory, git)
  return to === undefined ? undefined : { ...effect, path, to }
}

function placePath(
  path: string,
  directory: string | undefined,
  git: string | undefined,
): string | undefined {
  const inner = git === undefined ? path : joinPath(git, path)
  if (isAbsolute(inner)) return inner
  if (directory === undefined) return undefined
  const placed = joinPath(directory, inner)
  return placed === '' ? undefined : placed
}
