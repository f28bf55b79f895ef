import { chronological, type Chronological } from '../log/order.ts'
import type { Entry } from '../log/entry.ts'
import { type Compacted, type Compactor, keptText } from './throughline-compactor.ts'
import type { MeasuredSession } from './measured-session.ts'
import { namesOf } from './words.ts'

/** The rounds after which a series is measured. */
export const roundsLookedAt = [1, 5, 20] as const

/** One of many compactions in a row. */
export interface Round {
  compacted: Compacted
  /** Everything that had been said by then. */
  heard: readonly Entry[]
}

/** The share of the session that precedes the first compaction. */
const before = 1 / 4

/**
 * Compacts a session again and again while it continues: first after a quarter of it, then after
 * equal portions of the rest. Each compaction builds on the previous one.
 */
export async function compactAgainAndAgain(
  compactor: Compactor,
  session: MeasuredSession,
  { keep, rounds }: { keep: number; rounds: number },
): Promise<Round[]> {
  const messages = session.log.filter(({ kind }) => kind === 'message')
  const all: Round[] = []
  let log = chronological([])
  let taken = 0
  for (let round = 0; round < rounds; round++) {
    const share = before + (1 - before) * (round / Math.max(rounds - 1, 1))
    const upTo = Math.max(Math.floor(messages.length * share), taken)
    log = append(log, messages.slice(taken, upTo))
    taken = upTo
    const compacted = await compactor.compact({ log, keep, directories: session.directories })
    all.push({ compacted, heard: messages.slice(0, taken) })
    log = compacted.log
  }
  return all
}

/** The entries with the seqs that follow those of the log. */
function append(log: Chronological, entries: readonly Entry[]): Chronological {
  const newest = log.at(-1)?.seq ?? 0
  return chronological([
    ...log,
    ...entries.map((entry, index) => ({ ...entry, seq: newest + index + 1 })),
  ])
}

/**
 * Of the facts kept after the first compaction: the share still kept after a later one, while the
 * session continues. A fact is a path or an identifier: something that can be checked without a
 * model. Facts may rightly fade as the work moves on, so read this together with forward need,
 * which says whether the needed ones were kept.
 */
export function stillHeld(
  first: Compacted,
  later: Compacted,
  directories: readonly string[],
): number {
  const facts = namesOf(keptText(first), directories)
  if (facts.size === 0) return 1
  const kept = namesOf(keptText(later), directories)
  return [...facts].filter((fact) => kept.has(fact)).length / facts.size
}
