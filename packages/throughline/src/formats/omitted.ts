import type { SessionFacts } from './format.ts'

/** What a reader knows of its session, and how many records the model never saw, by reason. */
export interface Told {
  facts: SessionFacts
  omitted: Record<string, number>
}

/** Counts records that the model never saw. */
export function omit({ omitted }: Told, reason: string, count = 1): void {
  if (count > 0) omitted[reason] = (omitted[reason] ?? 0) + count
}

/** What the records have said about the session so far. */
export function factsWith({ facts, omitted }: Told): SessionFacts {
  return { ...facts, ...(Object.keys(omitted).length > 0 && { omitted: { ...omitted } }) }
}
