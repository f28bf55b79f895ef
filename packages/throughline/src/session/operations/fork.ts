import { draftOf, isRedaction, type Seq } from '../../log/entry.ts'
import { RefNotFoundError } from '../../log/ref.ts'
import { SessionExistsError, StoreConflictError } from '../errors.ts'
import { newestOf } from './undo.ts'
import type { Store } from '../store.ts'

export interface ForkOptions {
  /** The newest entry to copy; by default all entries are copied. */
  upTo?: Seq
  /** The store to copy to; by default the same one. */
  into?: Store
}

/**
 * Copies a session, or its part up to an entry, into a new independent session. Entries keep their
 * seqs, so every ref reads back the same text, and the context is what it was at that entry. If the
 * result of a call came later, the call is still open in the fork: append its result, or append
 * another message, and the model is told that the call was aborted.
 *
 * The two sessions don't know about each other: a redaction must be made in both.
 * @returns the newest entry of the fork.
 * @throws SessionNotFoundError if there is no session `from`.
 * @throws SessionExistsError if there is a session `as`.
 * @throws RefNotFoundError if `upTo` is not an entry of it.
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
  for (let seen = newest; ;) {
    const entries = await store.read(from, { upTo: last })
    if (entries.at(-1)?.seq !== last) throw new RefNotFoundError({ ref: `${last}`, newest })
    try {
      await into.append(as, entries.map(draftOf), { newest: 0 })
    } catch (error) {
      throw StoreConflictError.isInstance(error)
        ? new SessionExistsError({ session: as, cause: error })
        : error
    }
    // What was redacted while it was copied must not live on in the copy.
    const since = await store.read(from, { after: seen })
    if (!since.some(isRedaction)) return last
    await into.remove(as)
    seen = since.at(-1)?.seq ?? seen
  }
}
