import type { FindSource } from '../../session/recall/follow-ref.ts'
import type { Store } from '../../session/store.ts'

/** Where the sessions are that a server answers for. */
export interface RecallSource {
  /** Whether a client may name a session: not where there is only one. */
  choice: 'any' | 'one'
  /** The session that is named, or else the one written last; `undefined` if there is none yet. */
  find: (session: string | undefined) => Promise<StoredIn | undefined>
}

/** A session and the store that it is in. */
export interface StoredIn {
  store: Store
  session: string
  /** Finds the sessions that its refs name; by default those of the same store. */
  find?: FindSource
}

/** One session of a store. */
export function oneSession(store: Store, session: string): RecallSource {
  return { choice: 'one', find: async () => ({ store, session }) }
}

/** Any session of a store; by default the one written last. */
export function anySession(store: Store): RecallSource {
  return {
    choice: 'any',
    async find(named) {
      const session = named ?? (await store.sessions())[0]?.id
      return session === undefined ? undefined : { store, session }
    },
  }
}
