import { tokensOf, visibleText } from './visible.ts'
import type { MeasuredSession } from './measured-session.ts'

/** Tokens (bytes/4) of visible text at which the reference cuts a session. */
const cutSizes = [60_000, 100_000, 150_000]

/** Where a session is cut that reaches none of them: after these shares of its text. */
const cutShares = [1 / 3, 1 / 2, 2 / 3]

export interface Cut {
  /** The size that was reached here. */
  size: number
  /** Entries of the log that stand before the cut. */
  length: number
}

/**
 * Where a session's visible text first reaches each size, at the end of a message. What a
 * harness's own compaction wrote is not counted, and no cut stands right behind it: there
 * is nothing to compact there.
 */
export function cutsOf(session: MeasuredSession, sizes: readonly number[] = cutSizes): Cut[] {
  const cuts: Cut[] = []
  let tokens = 0
  for (const [index, entry] of session.log.entries()) {
    if (entry.kind !== 'message') continue
    tokens += tokensOf(visibleText(entry))
    for (const size of sizes.slice(cuts.length)) {
      if (tokens >= size) cuts.push({ size, length: index + 1 })
    }
  }
  return cuts
}

/** The usual sizes, if the session reaches one; else some within what there is of it. */
export function sizesWithin(session: MeasuredSession): readonly number[] {
  if (cutsOf(session).length > 0) return cutSizes
  const said = session.log.filter(({ kind }) => kind === 'message')
  const tokens = said.reduce((sum, entry) => sum + tokensOf(visibleText(entry)), 0)
  return cutShares.map((share) => Math.floor(tokens * share))
}
