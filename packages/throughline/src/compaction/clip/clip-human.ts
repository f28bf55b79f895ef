import { clipNote, type Clipping } from './clip-note.ts'
import { clipText } from './clip.ts'
import { commonCap, mergeReplacements } from './replacements.ts'
import { partsOf } from '../../log/message.ts'
import { ref } from '../../log/ref.ts'
import { minus, sumEstimated, type EstimatedTokens } from '../../tokens/units.ts'
import { unitTokens } from '../measure/unit-tokens.ts'
import type { Replacement } from '../../log/entry.ts'
import type { HumanUnit } from '../../log/steps.ts'

/**
 * Replacements that bring what a human said down to about `room`: the beginning and the end of
 * each long text stay word for word, and the middle of what was pasted is read back by its ref.
 */
export function clipHuman(
  unit: HumanUnit,
  replacements: readonly Replacement[],
  room: EstimatedTokens,
  { counter, recallTool }: Clipping,
): Replacement[] {
  const whole = unitTokens(unit, replacements, counter)
  if (whole <= room) return [...replacements]
  const texts = partsOf(unit.message).flatMap((part, index) =>
    part.type === 'text'
      ? [{ ref: ref(unit.seq, index), text: part.text, tokens: counter.text(part.text) }]
      : [],
  )
  const sizes = texts.map(({ tokens }) => tokens)
  const rest = minus(whole, sumEstimated(sizes))
  const cap = commonCap(sizes, minus(room, rest))
  const clipped = texts
    .filter(({ tokens }) => tokens > cap)
    .map(({ ref, text }): Replacement => ({
      how: 'clipped',
      ref,
      text: clipText(text, { budget: cap, count: counter.text, note: clipNote(ref, recallTool) }),
    }))
  return mergeReplacements(replacements, clipped)
}
