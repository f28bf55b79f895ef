import { workedIn } from './worked-in.ts'
import type { SessionRead } from '../formats/reading/read-session.ts'
import type { Chronological } from '../log/order.ts'

/** A session as the measures take it. */
export interface MeasuredSession {
  /** What it is called in reports; of a file, its name without the ending. */
  name: string
  /** The repository it comes from: of a file, its name up to `__`. */
  repository: string
  /** The format it was read by. */
  harness: string
  /** Working directories that paths are taken relative to, longest first. */
  directories: readonly string[]
  log: Chronological
}

/**
 * A session that was read, as the measures take it.
 *
 * @example
 * const session = measuredSession('tool__1a2b', await readSession(createReadStream(path)))
 */
export function measuredSession(
  name: string,
  { log, format, facts }: Pick<SessionRead, 'log' | 'format' | 'facts'>,
): MeasuredSession {
  return {
    name,
    repository: name.split('__')[0] ?? name,
    harness: format,
    directories: workedIn(log, facts.directory),
    log,
  }
}
