import { SessionRemovedError, StoreConflictError } from '../session/errors.ts'
import type { Seq } from '../log/entry.ts'
import type { AppendCondition, Rewriting } from '../session/store.ts'

/** What a condition is checked against. */
export interface Stored {
  /** The newest entry; 0 if there is no session. */
  newest: Seq
  /** `at` of the entry with this seq; `undefined` if there is none. */
  atOf: (seq: Seq) => number | undefined
}

/**
 * Checks that a session is in the state that an append expects.
 * @throws StoreConflictError, SessionRemovedError
 */
export function checkCondition(
  session: string,
  { newest, atOf }: Stored,
  { holds, newest: expected = newest }: AppendCondition = {},
): void {
  if (holds && !isSameTime(atOf(holds.seq), holds.at)) throw new SessionRemovedError({ session })
  if (expected !== newest) throw new StoreConflictError({ session, expected, newest })
}

/** A store need not keep a time that isn't a valid number. */
function isSameTime(stored: number | undefined, known: number): boolean {
  return stored === known || (stored !== undefined && !Number.isFinite(known))
}

/** Which entries a rewriting may change, as far as the caller knows. */
export function candidates(known: Rewriting['known']): (seq: Seq) => boolean {
  if (!known) return () => true
  const seqs = new Set(known.seqs)
  return (seq) => seq > known.upTo || seqs.has(seq)
}
