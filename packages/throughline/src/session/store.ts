import type { Entry, EntryDraft, Seq } from '../log/entry.ts'

/**
 * Where logs live: the port that every store implements, proved by the conformance suite of
 * `throughline/testing`. A store gives entries their seq inside the transaction that appends
 * them, so that two writers never get the same one.
 */
export interface Store {
  /**
   * Appends the drafts in one piece, all or none, and gives them the next seqs. A session
   * begins with its first entry.
   * @throws StoreConflictError if `newest` is given and is not the newest seq (0: no session yet).
   */
  append: (
    session: string,
    drafts: readonly EntryDraft[],
    condition?: { newest: Seq },
  ) => Promise<Entry[]>
  /** The entries behind `after`, in order of seq; none for a session that does not exist. */
  read: (session: string, range?: { after?: Seq }) => Promise<Entry[]>
  /** All sessions, the newest written first. */
  sessions: () => Promise<StoredSession[]>
  /** Forgets a session; not an error if there is none. */
  remove: (session: string) => Promise<void>
}

export interface StoredSession {
  id: string
  /** The newest seq, which is also the number of entries. */
  newest: Seq
  /** `at` of its newest entry, in milliseconds since 1970. */
  at: number
}
