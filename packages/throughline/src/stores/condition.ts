import { StoreConflictError } from '../session/errors.ts'
import type { Seq } from '../log/entry.ts'
import type { AppendCondition } from '../session/store.ts'

/**
 * Makes sure that a session, whose newest entry is `newest`, is what an append was meant for.
 * @throws StoreConflictError
 */
export function checkCondition(
  session: string,
  newest: Seq,
  condition: AppendCondition | undefined,
): void {
  if (!condition) return
  if ('newest' in condition) {
    if (condition.newest === newest) return
    throw new StoreConflictError({ session, expected: condition.newest, newest })
  }
  if (condition.atLeast <= newest) return
  throw new StoreConflictError({ session, expected: condition.atLeast, newest })
}
