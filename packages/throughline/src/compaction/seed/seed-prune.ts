import { barePlaceholder } from '../prune/placeholder.ts'
import { isResult, locatedParts } from '../clip/parts.ts'
import { transcriptOf, type TranscriptStrategy } from '../summary/transcript.ts'
import type { Replacement, Seq } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'

/** T9: tool results before the second-last user message, except those of protected tools. */
export function seedReplacements(
  units: readonly Unit[],
  protectedTools: readonly string[],
): Replacement[] {
  const boundary = skipBoundary(units)
  return units
    .flatMap(locatedParts)
    .filter(isResult)
    .filter(({ item, part }) => item.seq < boundary && !protectedTools.includes(part.toolName))
    .map(({ ref }) => ({ how: 'pruned', ref, text: barePlaceholder }))
}

/** T9: the position of the second-last user message; before all others if there are fewer. */
export function skipBoundary(units: readonly Unit[]): Seq {
  let turns = 0
  for (const unit of units.toReversed()) {
    if (unit.item.type !== 'message' || unit.item.message.role !== 'user') continue
    turns += 1
    if (turns >= 2) return unit.item.seq
  }
  return 0
}

/** T9 before T8: the head as the seeds' summarizer reads it. */
export const seedTranscript: TranscriptStrategy = ({ head, units, protectedTools }) =>
  transcriptOf(head, seedReplacements(units, protectedTools))
