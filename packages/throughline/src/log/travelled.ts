import type { Metadata } from './entry.ts'

/**
 * The mark of an entry whose summary was written by Throughline and came from another log, as somebody
 * vouches who knows: a ledger, or the caller whose messages they are.
 */
export const travelledMark = { travelled: true } as const

/**
 * Whether an entry holds a summary of our own that came from another log. Of any other summary that
 * came with a session a model may have written every line.
 */
export function hasTravelled({ metadata }: { metadata?: Metadata }): boolean {
  return metadata?.['travelled'] === true
}
