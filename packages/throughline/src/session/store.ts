import type { Entry, EntryDraft, Seq } from '../log/entry.ts'

/**
 * Where logs are stored: the port that every store implements, verified by the conformance suite of
 * `throughline/testing`. A store assigns seqs inside the transaction that appends the entries, so
 * two writers never get the same one.
 */
export interface Store {
  /**
   * Appends all of the drafts or none, and assigns the next seqs. A session begins with its first
   * entry.
   * @throws StoreConflictError if the condition names another newest entry.
   * @throws SessionRemovedError if the session doesn't hold the entry in the condition.
   */
  append: (
    session: string,
    drafts: readonly EntryDraft[],
    condition?: AppendCondition,
    request?: StoreRequest,
  ) => Promise<Entry[]>
  /** Returns the selected entries in order of seq; none for a session that doesn't exist. */
  read: (session: string, selection?: Selection, request?: StoreRequest) => Promise<Entry[]>
  /** The seqs of messages that hold these words, best match first. */
  search: (session: string, search: Search, request?: StoreRequest) => Promise<Seq[]>
  /** All sessions, most recently written first. */
  sessions: (request?: StoreRequest) => Promise<StoredSession[]>
  /**
   * Changes entries in one transaction and appends a note about it. This is the only operation that
   * overwrites. No byte of the old content stays in the store. If nothing changes, no note is
   * written and the result is `undefined`.
   * @throws StoreConflictError, SessionRemovedError if the condition isn't met.
   */
  redact: (
    session: string,
    rewriting: Rewriting,
    request?: StoreRequest,
  ) => Promise<Entry | undefined>
  /** Deletes a session and leaves no byte of it; not an error if it doesn't exist. */
  remove: (session: string) => Promise<void>
}

/**
 * Ends the wait for a store that someone else uses, or a long piece of work, with the signal's
 * reason. Nothing is written then.
 */
interface StoreRequest {
  signal?: AbortSignal | undefined
}

/** What must be true of a session for an append to succeed. */
export interface AppendCondition {
  /** The session's newest entry; 0 if the session doesn't exist yet. */
  newest?: Seq
  /**
   * The session still holds this entry: it was not deleted, and no other session took its name.
   */
  holds?: Pick<Entry, 'seq' | 'at'>
}

/** Which entries of a session to read: those that meet all of these conditions. */
export interface Selection {
  after?: Seq
  upTo?: Seq
  kinds?: readonly Entry['kind'][]
  seqs?: readonly Seq[]
  /** At most this many of the newest entries. */
  newest?: number
}

/** What to search for. Each phrase is a row of words, and its last word may be incomplete. */
export interface Search {
  phrases: readonly (readonly string[])[]
  /** Whether all phrases must occur, or one is enough. */
  match: 'all' | 'any'
  limit: number
}

/** How entries are changed: each is replaced by another with the same seq. */
export interface Rewriting {
  change: (entry: Entry) => Entry | undefined
  note: (changed: readonly Seq[]) => EntryDraft
  /**
   * What the caller knows already: of the entries up to `upTo`, only `seqs` have to change. Spares
   * the store to read all others again.
   */
  known?: { upTo: Seq; seqs: readonly Seq[] }
  /** What must be true of the session; as for an append. */
  condition?: AppendCondition
}

export interface StoredSession {
  id: string
  /** The newest seq, which is also the number of entries. */
  newest: Seq
  /** `at` of its newest entry, in milliseconds since 1970. */
  at: number
}
