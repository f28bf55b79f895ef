import { chronological } from '../log/order.ts'
import { contextOf } from '../log/context/context.ts'
import { defaultPolicy } from '../compaction/policy.ts'
import { renderContext } from '../compaction/render/render.ts'
import { summaryRoleOf } from '../compaction/render/summary-block.ts'
import { fewestNeeded, heldOf, neededAfter } from './forward-need.ts'
import { keptText, type Compactor } from './throughline-compactor.ts'
import { tokensOf, visibleTextOfMessages } from './visible.ts'
import type { MeasuredSession } from './measured-session.ts'

/** How much was kept, and how much of what was needed was in it. */
interface Kept {
  /** Tokens (bytes/4). */
  tokens: number
  held: number
}

/** A compaction that a harness really made, and another one at the same moment. */
export interface RecordedCompaction {
  session: string
  harness: string
  /** The entry of the log that is the compaction. */
  seq: number
  needed: number
  /** By the harness: summary and kept messages, if its file shows them. */
  theirs: Kept
  /** By the compactor, with the same number of tokens. */
  ours: Kept
}

/**
 * Compacts sessions at the moments when their own harness did, with the same number of tokens.
 * Moments after which nothing was needed are left out.
 */
export async function measureRecorded(
  compactor: Compactor,
  sessions: readonly MeasuredSession[],
  generic: ReadonlySet<string>,
): Promise<RecordedCompaction[]> {
  const all: RecordedCompaction[] = []
  for (const session of sessions) {
    for (const [index, entry] of session.log.entries()) {
      if (entry.kind !== 'checkpoint') continue
      const needed = neededAfter(session, { size: 0, length: index + 1 }, generic)
      if (needed.size === 0) continue
      const { name, harness, directories } = session
      const theirs = contextText(session, index + 1)
      const keep = tokensOf(theirs)
      const log = chronological(session.log.slice(0, index))
      const ours = keptText(await compactor.compact({ log, keep, directories }))
      all.push({
        session: name,
        harness,
        seq: entry.seq,
        needed: needed.size,
        theirs: { tokens: keep, held: heldOf(needed, theirs, directories) },
        ours: { tokens: tokensOf(ours), held: heldOf(needed, ours, directories) },
      })
    }
  }
  return all
}

/** What the model saw after the first entries of a session. */
function contextText({ log }: MeasuredSession, length: number): string {
  const { items } = contextOf(chronological(log.slice(0, length)))
  const { messages } = renderContext(items, summaryRoleOf(defaultPolicy))
  return visibleTextOfMessages(messages)
}

/** The recorded compactions of one harness, combined. */
export interface HarnessRecord {
  harness: string
  compactions: number
  needed: number
  /** No compaction had the ten needed words that make it meaningful, so all are pooled. */
  few: boolean
  /** The mean number of kept tokens, and the share of everything needed, 0 to 1. */
  theirs: { tokens: number; share: number }
  ours: { tokens: number; share: number }
}

/**
 * Pools the recorded compactions of each harness: those with ten or more needed words, if there are
 * any.
 */
export function byHarness(recorded: readonly RecordedCompaction[]): HarnessRecord[] {
  return [...new Set(recorded.map(({ harness }) => harness))].sort().map((harness) => {
    const all = recorded.filter((one) => one.harness === harness)
    const telling = all.filter(({ needed }) => needed >= fewestNeeded)
    const own = telling.length > 0 ? telling : all
    const needed = own.reduce((sum, one) => sum + one.needed, 0)
    const pooled = (who: 'theirs' | 'ours'): { tokens: number; share: number } => ({
      tokens: Math.round(own.reduce((sum, one) => sum + one[who].tokens, 0) / own.length),
      share: own.reduce((sum, one) => sum + one[who].held, 0) / needed,
    })
    return {
      harness,
      compactions: own.length,
      needed,
      few: telling.length === 0,
      theirs: pooled('theirs'),
      ours: pooled('ours'),
    }
  })
}
