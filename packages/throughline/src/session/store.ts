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
   * @throws StoreConflictError if its newest entry is not the one of the condition.
   * @throws SessionRemovedError if it does not hold the entry of the condition.
   */
  append: (
    session: string,
    drafts: readonly EntryDraft[],
    condition?: AppendCondition,
  ) => Promise<Entry[]>
  /** Entries in order of seq, all that are not selected away; none for a session that does not exist. */
  read: (session: string, selection?: Selection) => Promise<Entry[]>
  /** The seqs of messages that hold these words, the best first. */
  search: (session: string, search: Search) => Promise<Seq[]>
  /** All sessions, the newest written first. */
  sessions: () => Promise<StoredSession[]>
  /**
   * Changes entries in one piece, with a note about it behind them: the one operation that
   * overwrites. No byte of what stood there is left in the store. Without a change there is
   * no note, and the answer is `undefined`.
   */
  redact: (session: string, rewriting: Rewriting) => Promise<Entry | undefined>
  /** Forgets a session, and leaves no byte of it; not an error if there is none. */
  remove: (session: string) => Promise<void>
}

/** What must be true of a session when something is appended to it. */
export interface AppendCondition {
  /** Its newest entry is this one; 0 is no session yet. */
  newest?: Seq
  /** It still holds this entry: nobody has removed it, or begun another of its name. */
  holds?: Pick<Entry, 'seq' | 'at'>
}

/** Which entries of a session are read: those that meet all of these. */
export interface Selection {
  after?: Seq
  upTo?: Seq
  kinds?: readonly Entry['kind'][]
  seqs?: readonly Seq[]
  /** No more than the newest so many. */
  newest?: number
}

/** What is looked for: every phrase is words in a row, the last of which may go on. */
export interface Search {
  phrases: readonly (readonly string[])[]
  /** Whether every phrase must be there, or one is enough. */
  match: 'all' | 'any'
  limit: number
}

/** How entries are changed: another entry in the place of one, with the same seq. */
export interface Rewriting {
  change: (entry: Entry) => Entry | undefined
  note: (changed: readonly Seq[]) => EntryDraft
}

export interface StoredSession {
  id: string
  /** The newest seq, which is also the number of entries. */
  newest: Seq
  /** `at` of its newest entry, in milliseconds since 1970. */
  at: number
}
