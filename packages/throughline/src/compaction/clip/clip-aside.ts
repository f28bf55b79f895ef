import { clipText } from './clip.ts'
import { locatedParts } from './parts.ts'
import { clipNote } from '../prune/placeholder.ts'
import type { Replacement } from '../../log/entry.ts'
import type { AsideUnit } from '../../log/steps.ts'
import type { Clipping } from './clipping.ts'

/** Replacements that bring what a harness said down to about `room` tokens. */
export function clipAside(
  unit: AsideUnit,
  replacements: readonly Replacement[],
  room: number,
  { counter, recallTool }: Clipping,
): Replacement[] {
  const texts = locatedParts(unit).flatMap(({ ref, part }) =>
    part.type === 'text' ? [{ ref, text: part.text }] : [],
  )
  const budget = Math.max(Math.floor(room / Math.max(texts.length, 1)) - 10, 0)
  const clipped = texts.map(({ ref, text }): Replacement => ({
    how: 'clipped',
    ref,
    text: clipText(text, { budget, count: counter.text, note: clipNote(ref, recallTool) }),
  }))
  const refs = new Set(clipped.map(({ ref }) => ref))
  return [...replacements.filter(({ ref }) => !refs.has(ref)), ...clipped]
}
