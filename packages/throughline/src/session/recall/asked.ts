import type { Entry } from '../../log/entry.ts'
import type { CountTokens } from '../../tokens/count.ts'
import type { FindSource } from './follow-ref.ts'
import type { ToolLens } from '../../facts/lens.ts'
import type { Selection, Store } from '../store.ts'

/** How much to answer, and how to read the session. */
export interface RecallOptions {
  /** The most that an answer holds, in tokens; at least 300, by default 4,000. */
  tokens?: number
  /** Counts tokens; by default the built-in estimator. */
  count?: CountTokens
  /**
   * Finds the session that a ref with a source before it belongs to, where a session began with the
   * context of another; by default the one of that id in the same store. What it is asked for comes
   * from entries that readers of session files made, never from what a host's messages say.
   */
  find?: FindSource
  /** How to read tools that Throughline does not know, for what happened to a file. */
  lenses?: readonly ToolLens[]
}

/** What a question is asked of, and how much its answer may hold. */
export interface Asked extends Required<RecallOptions> {
  store: Store
  session: string
}

/** Entries of the session, in order of seq. */
export function read({ store, session }: Asked, selection: Selection): Promise<Entry[]> {
  return store.read(session, selection)
}
