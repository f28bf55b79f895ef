import { draftOf, type Seq } from '../../log/entry.ts'
import { RefNotFoundError } from '../../log/ref.ts'
import { SessionExistsError, StoreConflictError } from '../errors.ts'
import { newestOf } from './newest.ts'
import type { Store } from '../store.ts'

export interface ForkOptions {
  /** The newest entry that the fork takes over; by default all of them. */
  upTo?: Seq
  /** The store that it goes to; by default the same. */
  into?: Store
}

/**
 * Copies a session, or its part up to an entry, into a new one that goes its own way. Entries
 * keep their seqs, so that every ref reads back the same, and the context is what it was at that
 * entry. A call whose result came later waits for it in the fork, as it did then: append its
 * result, or say something else, and the model reads that it was aborted.
 *
 * The two know nothing of each other: what must be redacted must be redacted in both.
 * @returns the newest entry of the fork.
 * @throws SessionNotFoundError if there is no session `from`.
 * @throws SessionExistsError if there is a session `as`.
 * @throws RefNotFoundError if `upTo` is no entry of it.
 * @example
 * await forkSession(store, 'main', 'another-try', { upTo: 12 })
 */
export async function forkSession(
  store: Store,
  from: string,
  as: string,
  { upTo, into = store }: ForkOptions = {},
): Promise<Seq> {
  const { seq: newest } = await newestOf(store, from)
  const last = upTo ?? newest
  const entries = await store.read(from, { upTo: last })
  if (entries.at(-1)?.seq !== last) throw new RefNotFoundError({ ref: `${last}`, newest })
  try {
    await into.append(as, entries.map(draftOf), { newest: 0 })
  } catch (error) {
    throw StoreConflictError.isInstance(error)
      ? new SessionExistsError({ session: as, cause: error })
      : error
  }
  return last
}
