import type { Fields } from '../../json/fields.ts'
import type { FindSource } from '../../session/recall/follow-ref.ts'
import type { Store } from '../../session/store.ts'

/** What a client says of itself and of a call, besides the question. */
export interface Asker {
  /** The name by which it introduced itself. */
  client: string | undefined
  /** The `_meta` of the call. */
  meta: Fields
  /** The arguments of the call. */
  input: unknown
}

/** The sessions that a server answers for. */
export interface RecallSource {
  /** Whether a client may name a session: not if there is only one. */
  choice: 'project' | 'one'
  /** The named session, or else the asker's own; `undefined` if there is none yet. */
  find: (session: string | undefined, asker: Asker) => Promise<StoredIn | undefined>
}

export interface StoredIn {
  store: Store
  session: string
  /** Its id in its client, if that is another one. */
  own?: string
  /** The window of its model, in tokens, if its client recorded it. */
  window?: number
  /** Finds the sessions that its refs name; by default those of the same store. */
  find?: FindSource
  /** What the model must know of the choice of this session, if anything. */
  note?: string
}

export function oneSession(store: Store, session: string): RecallSource {
  return { choice: 'one', find: async () => ({ store, session }) }
}
