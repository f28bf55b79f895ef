import { messageText } from '../../log/message-text.ts'
import { rangesAt, rewound, type Rewound } from '../../log/rewound.ts'
import { addFacts, type StoredFacts } from './facts.ts'
import { quickTokens } from './quick-tokens.ts'
import type { Entry, EntryOf } from '../../log/entry.ts'
import type { Store, StoredSession } from '../../session/store.ts'

/** What a list shows of a stored session. */
export interface SessionOverview extends StoredSession {
  /** What its human said first; `undefined` if that is not near its beginning. */
  title: string | undefined
  facts: StoredFacts
  /** Compactions in force: those that were taken back are not counted. */
  compactions: number
  /** The size of its next request; `undefined` where only reading all of it would tell. */
  tokens: number | undefined
}

// All that is no message: few, and small.
const marks = ['observation', 'rewind', 'checkpoint', 'prune', 'pin', 'unpin'] as const
// A model answers in at least one of so many messages.
const mostRecent = 20
// Up to where the first words of the human are looked for, a few entries at first.
const titleWithin = [4, 40, 400]

/** Looks at a stored session, at a cost that hardly grows with its length. */
export async function overviewOf(store: Store, stored: StoredSession): Promise<SessionOverview> {
  const { id, newest: upTo } = stored
  const marked = await store.read(id, { kinds: marks, upTo })
  const recent = await store.read(id, { kinds: ['message'], newest: mostRecent, upTo })
  const facts: StoredFacts = {}
  const known = [...marked, ...recent].sort((one, other) => one.seq - other.seq)
  for (const entry of known) addFacts(facts, entry)
  const checkpoints = checkpointsInForce(marked, upTo)
  const base = checkpoints.at(-1)?.base ?? 0
  return {
    ...stored,
    title: await titleOf(store, stored),
    facts,
    compactions: checkpoints.length,
    tokens: await quickTokens(store, stored, { marked, recent, facts, base }),
  }
}

function checkpointsInForce(marked: readonly Entry[], newest: number): EntryOf<'checkpoint'>[] {
  const rewinds: Rewound[] = []
  for (const entry of marked) if (entry.kind === 'rewind') rewinds.push(rewound(rewinds, entry))
  const ranges = rangesAt(rewinds, newest)
  const stands = ({ seq }: Entry): boolean =>
    ranges.some(({ from, to }) => from <= seq && seq <= to)
  return marked.flatMap((entry) => (entry.kind === 'checkpoint' && stands(entry) ? [entry] : []))
}

async function titleOf(store: Store, { id, newest }: StoredSession): Promise<string | undefined> {
  let after = 0
  for (const upTo of titleWithin) {
    if (after >= newest) return undefined
    const entries = await store.read(id, { kinds: ['message'], after, upTo })
    for (const entry of entries) {
      const text = entry.kind === 'message' && isHuman(entry) ? messageText(entry.message) : ''
      if (text.trim() !== '') return text
    }
    after = upTo
  }
  return undefined
}

function isHuman({ origin, message }: EntryOf<'message'>): boolean {
  return origin === 'human' && message.role === 'user'
}
