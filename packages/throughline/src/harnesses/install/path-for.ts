import { InstallError } from './errors.ts'
import type { Harness, PlacedSession, Surroundings } from '../../formats/writing/harness.ts'

/**
 * Where a new session goes: an absolute path below the harness's own folder, whatever its
 * directory is called; `undefined` where the harness takes sessions from any file.
 * @throws InstallError if it is not known where the harness keeps its sessions.
 */
export function pathFor(
  harness: Harness,
  surroundings: Surroundings,
  placed: PlacedSession,
): string | undefined {
  const relative = harness.placeFor(placed)
  if (relative === undefined) return undefined
  const [root] = harness.roots(surroundings)
  const { path } = surroundings
  if (root === undefined) throw new InstallError({ harness: harness.name, failure: 'no-home' })
  const whole = path.join(root, ...relative.split('/'))
  const below = path.relative(root, whole)
  const escapes = below === '' || below.startsWith('..') || path.isAbsolute(below)
  // On Windows a colon behind the drive names a stream of a file, not a file.
  const names = path.sep === '\\' ? /[\0:]/ : /\0/
  if (escapes || names.test(below)) {
    throw new InstallError({ harness: harness.name, failure: 'outside', file: relative })
  }
  return whole
}
