import { messageText } from '../../log/message-text.ts'
import { rangesAt, rewindsIn } from '../../log/rewound.ts'
import { lookAt } from './stored-facts.ts'
import { quickTokens } from './quick-tokens.ts'
import type { StoredFacts } from './facts.ts'
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

// Up to where the first words of the human are looked for, a few entries at first.
const titleWithin = [4, 40, 400]

/** Looks at a stored session, at a cost that hardly grows with its length. */
export async function overviewOf(store: Store, stored: StoredSession): Promise<SessionOverview> {
  const looked = await lookAt(store, stored)
  const checkpoints = checkpointsInForce(looked.marked, stored.newest)
  const base = checkpoints.at(-1)?.base ?? 0
  return {
    ...stored,
    title: await titleOf(store, stored),
    facts: looked.facts,
    compactions: checkpoints.length,
    tokens: await quickTokens(store, stored, { ...looked, base }),
  }
}

function checkpointsInForce(marked: readonly Entry[], newest: number): EntryOf<'checkpoint'>[] {
  const ranges = rangesAt(rewindsIn(marked), newest)
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
