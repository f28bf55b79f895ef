import { addFacts, type StoredFacts } from './facts.ts'
import type { Entry } from '../../log/entry.ts'
import type { Store, StoredSession } from '../../session/store.ts'

/** What a short look at a stored session shows. */
export interface Look {
  /** All entries that aren't messages. */
  marked: readonly Entry[]
  /** The newest messages. */
  recent: readonly Entry[]
  facts: StoredFacts
}

// Entries that aren't messages are few and small.
const marks = ['observation', 'rewind', 'checkpoint', 'prune', 'pin', 'unpin'] as const
// A model answers in at least one of this many messages.
const mostRecent = 20

export async function lookAt(
  store: Store,
  { id, newest: upTo }: Pick<StoredSession, 'id' | 'newest'>,
): Promise<Look> {
  const marked = await store.read(id, { kinds: marks, upTo })
  const recent = await store.read(id, { kinds: ['message'], newest: mostRecent, upTo })
  const facts: StoredFacts = {}
  const entries = [...marked, ...recent].sort((one, other) => one.seq - other.seq)
  for (const entry of entries) addFacts(facts, entry)
  return { marked, recent, facts }
}

/** What is known about a stored session besides its messages, without reading all of it. */
export async function storedFacts(
  store: Store,
  stored: Pick<StoredSession, 'id' | 'newest'>,
): Promise<StoredFacts> {
  return (await lookAt(store, stored)).facts
}
