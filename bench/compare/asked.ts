import type { Asked, Contested, Figures } from './figures.ts'

/** Throughline as measured against the goals: its default, without a model. */
export const ourId = 'throughline'

/** Throughline with recorded answers of a real model. */
export const recordedId = 'throughline-answers'

export function wasAsked(contested: Contested): contested is Asked {
  return 'name' in contested
}

/** Everyone who could be measured. */
export function askedIn({ contested }: Figures): Asked[] {
  return contested.filter(wasAsked)
}

/** The other engines among them. */
export function peersIn(figures: Figures): Asked[] {
  return askedIn(figures).filter(({ about }) => about !== undefined)
}
