import { shownName } from '../store/shown-name.ts'
import type { FoundSession } from '../../harnesses/found-session.ts'

/** How a session of a harness is named to a command: `claude:f4237e82-…`. */
export function foundName({ harness, id }: Pick<FoundSession, 'harness' | 'id'>): string {
  return shownName(`${harness.prefix}:${id}`)
}
