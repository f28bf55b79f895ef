import { barePlaceholder } from '../prune/placeholder.ts'
import { isResult, locatedParts } from '../clip/parts.ts'
import { transcriptOf, type TranscriptStrategy } from '../summary/transcript.ts'
import { roleOf } from './seed-messages.ts'
import type { Replacement } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'

/** T9: tool results before the second-last user message, except those of protected tools. */
export function seedReplacements(
  units: readonly Unit[],
  protectedTools: readonly string[],
): Replacement[] {
  return units
    .slice(0, skipBoundary(units))
    .flatMap(locatedParts)
    .filter(isResult)
    .filter(({ part }) => !protectedTools.includes(part.toolName))
    .map(({ ref }) => ({ how: 'pruned', ref, text: barePlaceholder }))
}

/** T9: where the second-last user message stands; before all others where there are fewer. */
export function skipBoundary(units: readonly Unit[]): number {
  let turns = 0
  for (let index = units.length - 1; index >= 0; index--) {
    if (units[index]?.items.some((item) => roleOf(item) === 'user') && ++turns >= 2) return index
  }
  return 0
}

/** T9 before T8: the head as the seeds' summarizer reads it. */
export const seedTranscript: TranscriptStrategy = ({ head, units, protectedTools }) =>
  transcriptOf(head, seedReplacements(units, protectedTools))
