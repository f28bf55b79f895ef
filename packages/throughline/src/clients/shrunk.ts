import type { Entry } from '../log/entry.ts'

/** The requests around a compaction, in tokens as the provider counted them. */
export interface Around {
  before: number
  after: number
}

/** What the provider counted before each compaction of a client's session and after it, in order. */
export function sizesAround(log: readonly Entry[]): Around[] {
  const found: Around[] = []
  let newest: number | undefined
  let before: number | undefined
  for (const entry of log) {
    if (entry.kind === 'checkpoint') before = newest
    const tokens = entry.kind === 'message' ? entry.usage?.inputTokens : undefined
    if (tokens === undefined) continue
    if (before !== undefined) found.push({ before, after: tokens })
    before = undefined
    newest = tokens
  }
  return found
}

// One that did not shrink may have another reason.
const mostUnshrunk = 2

/** What is recorded where a client takes our context, and its requests stay as they are. */
export const doesNotShrink = 'compactions do not make its requests smaller'

/**
 * Whether the newest compactions, by how they went, are worth another: two in a row that did not
 * shrink what is sent are only the beginning of an endless row.
 * @example
 * isWorthwhile([true, false]) // true
 * isWorthwhile([true, false, false]) // false
 */
export function isWorthwhile(shrank: readonly boolean[]): boolean {
  const newest = shrank.slice(-mostUnshrunk)
  return newest.length < mostUnshrunk || newest.includes(true)
}

/** Whether what is sent fell by half of what was planned. */
export function didShrink({ before, after }: Around, planned: Around): boolean {
  return before - after >= (planned.before - planned.after) / 2
}
