import { messageText } from '../../log/message.ts'
import { rangesAt, rewindsIn } from '../../log/history.ts'
import { lookAt, type Look, type StoredFacts } from './facts.ts'
import { type Entry, type EntryOf, type Seq, changesView } from '../../log/entry.ts'
import type { Store, StoredSession } from '../../session/store.ts'
import { measure } from '../../compaction/measure/measure.ts'
import { counterOf, type Counter } from '../../tokens/counter.ts'
import { summaryAsUser } from '../../compaction/render/summary-block.ts'
import { contextOf } from '../../log/context/context.ts'
import { chronological } from '../../log/order.ts'
import { readRecentLog } from '../../session/recent-log.ts'
import { answerTokens } from '../../tokens/prices.ts'
import { advanceCalibrations, emptyCalibrations, ratioOf } from '../../tokens/calibration.ts'
import { estimatedTokens, plus, toModel } from '../../tokens/units.ts'

/** What a list shows about a stored session. */
export interface SessionOverview extends StoredSession {
  /** The human's first message; `undefined` if it isn't near the beginning. */
  title: string | undefined
  facts: StoredFacts
  /** Active compactions; undone ones don't count. */
  compactions: number
  /** The size of its next request, in tokens of its model; `undefined` where only reading all of it would tell. */
  tokens: number | undefined
  /** Whether a provider counted that; else it is an estimate of what the store holds of it. */
  counted: boolean
}

// How far to search for the human's first words, a few entries at first.
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
    ...(await quickTokens(store, stored, { ...looked, base })),
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

/** What has been read of a session. */
interface Looked extends Look {
  /** The last entry that the newest checkpoint covers; 0 without one. */
  base: Seq
}

// How many entries are read to count their tokens; more would make a list of sessions slow.
const mostCounted = 300

/** The size of the next request, as far as it can be known without reading much. */
async function quickTokens(
  store: Store,
  stored: StoredSession,
  looked: Looked,
): Promise<Pick<SessionOverview, 'tokens' | 'counted'>> {
  const counter = counterFor(looked)
  const told = toldByUsage(looked, counter)
  if (told !== undefined) return { tokens: told, counted: true }
  if (stored.newest - looked.base > mostCounted) return { tokens: undefined, counted: false }
  const log = chronological(await readRecentLog(store, stored.id, 0))
  const context = contextOf(log, stored.newest)
  const { tokens, source } = measure(context, looked.facts, counter, summaryAsUser)
  return { tokens, counted: source === 'usage' }
}

function counterFor({ marked, facts }: Looked): Counter {
  const calibrations = advanceCalibrations(emptyCalibrations(), chronological(marked))
  return counterOf({ ratio: ratioOf(calibrations, facts.model) })
}

/** The newest usage that was measured on exactly this context, and what came after it. */
function toldByUsage({ marked, recent, facts }: Looked, counter: Counter): number | undefined {
  const changed = marked.findLast(changesView)?.seq ?? 0
  let since = estimatedTokens(0)
  for (const entry of recent.toReversed()) {
    if (entry.kind !== 'message' || entry.seq < changed) return undefined
    const { usage, model, message } = entry
    if (usage && (!model || !facts.model || model === facts.model)) {
      const own = toModel(counter.message(message), counter.ratio)
      return usage.inputTokens + answerTokens(usage, own) + toModel(since, counter.ratio)
    }
    since = plus(since, counter.message(message))
  }
  return undefined
}
