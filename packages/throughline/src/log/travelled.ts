import type { EntryOf } from './entry.ts'

/** The mark of a checkpoint whose summary was written by Throughline and came from another log. */
export const travelledMark = { travelled: true } as const

/**
 * Whether a checkpoint holds a summary of our own that came from another log. Of any other summary
 * that came with a session a model may have written every line.
 */
export function hasTravelled({ metadata }: Pick<EntryOf<'checkpoint'>, 'metadata'>): boolean {
  return metadata['travelled'] === true
}
