import { clipText } from './clip.ts'
import { locatedParts } from './parts.ts'
import { clipNote } from './clip-note.ts'
import { estimatedTokens, type EstimatedTokens } from '../../tokens/units.ts'
import type { Replacement } from '../../log/entry.ts'
import type { AsideUnit } from '../../log/steps.ts'
import type { Clipping } from './clip-note.ts'

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
  const refs = new Set(clipped.map(({ ref }) => ref))
  return [...replacements.filter(({ ref }) => !refs.has(ref)), ...clipped]
}
