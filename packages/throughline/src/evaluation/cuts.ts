import { tokensOf, visibleText } from './visible.ts'
import type { MeasuredSession } from './measured-session.ts'

/** The sizes, in tokens (bytes/4) of visible text, at which the reference cuts a session. */
const cutSizes = [60_000, 100_000, 150_000]

/** Where to cut a session that reaches none of them: after these shares of its text. */
const cutShares = [1 / 3, 1 / 2, 2 / 3]

/** A place in a session where its context had reached a size, in tokens. */
export interface Cut {
  /** The size that was reached here. */
  size: number
  /** How many entries of the log come before the cut. */
  length: number
}

/**
 * Where a session's visible text first reaches each size, at the end of a message. Text that a
 * harness's own compaction wrote isn't counted, and no cut comes right after it, because there is
 * nothing to compact there.
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

/** The usual sizes, if the session reaches one; otherwise some within its length. */
export function sizesWithin(session: MeasuredSession): readonly number[] {
  if (cutsOf(session).length > 0) return cutSizes
  const said = session.log.filter(({ kind }) => kind === 'message')
  const tokens = said.reduce((sum, entry) => sum + tokensOf(visibleText(entry)), 0)
  return cutShares.map((share) => Math.floor(tokens * share))
}
