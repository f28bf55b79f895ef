import { clipLonger, clipNote, clipText, type Clipping } from './clip.ts'
import { keptReplacements } from './describe-media.ts'
import { commonCap, mergeReplacements, locatedParts } from './parts.ts'
import { partsOf } from '../../log/message.ts'
import { ref } from '../../log/ref.ts'
import { minus, sumEstimated, estimatedTokens, type EstimatedTokens } from '../../tokens/units.ts'
import { unitTokens } from '../measure/unit-tokens.ts'
import type { Replacement } from '../../log/entry.ts'
import type { HumanUnit, AsideUnit } from '../../log/steps.ts'

/**
 * Replacements that bring the words of a human down to about `room`, which media take nothing of:
 * the beginning and the end of each long text stay word for word, and the middle of what was pasted
 * is read back by its ref.
 */
export function clipHuman(
  unit: HumanUnit,
  replacements: readonly Replacement[],
  room: EstimatedTokens,
  clipping: Clipping,
): Replacement[] {
  const { counter } = clipping
  const words = unitTokens(unit, unit.items.flatMap(keptReplacements), counter)
  if (words <= room) return [...replacements]
  const texts = partsOf(unit.message).flatMap((part, index) =>
    part.type === 'text'
      ? [{ ref: ref(unit.seq, index), text: part.text, tokens: counter.text(part.text) }]
      : [],
  )
  const sizes = texts.map(({ tokens }) => tokens)
  const rest = minus(words, sumEstimated(sizes))
  const cap = commonCap(sizes, minus(room, rest))
  return mergeReplacements(replacements, clipLonger(texts, cap, clipping))
}

/** Replacements that bring what a harness said down to about `room`. */
export function clipAside(
  unit: AsideUnit,
  replacements: readonly Replacement[],
  room: EstimatedTokens,
  { counter, recallTool }: Clipping,
): Replacement[] {
  const texts = locatedParts(unit).flatMap(({ ref, part }) =>
    part.type === 'text' ? [{ ref, text: part.text }] : [],
  )
  const each = Math.floor(room / Math.max(texts.length, 1))
  const budget = estimatedTokens(Math.max(each - 10, 0))
  const clipped = texts.map(({ ref, text }): Replacement => ({
    how: 'clipped',
    ref,
    text: clipText(text, { budget, count: counter.text, note: clipNote(ref, recallTool) }),
  }))
  return mergeReplacements(replacements, clipped)
}
