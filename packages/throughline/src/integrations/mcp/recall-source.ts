import type { FindSource } from '../../session/recall/follow-ref.ts'
import type { Store } from '../../session/store.ts'

/** The sessions that a server answers for. */
export interface RecallSource {
  /** Whether a client may name a session: not if there is only one. */
  choice: 'any' | 'one'
  /**
   * The named session, or else the most recently modified one; `undefined` if there is none yet.
   */
  find: (session: string | undefined) => Promise<StoredIn | undefined>
}

/** A session and its store. */
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

/** Any session in a store; by default the most recently modified one. */
export function anySession(store: Store): RecallSource {
  return {
    choice: 'any',
    async find(named) {
      const session = named ?? (await store.sessions())[0]?.id
      return session === undefined ? undefined : { store, session }
    },
  }
}
