import type { Exam, ExamFact } from './exam.ts'

/**
 * The facts that a text still states, decided without a model: names alone state nothing, because
 * the words that carry a statement must be close together.
 *
 * @example
 * factsStated(exam, keptText(compacted)).length // of exam.facts.length
 */
export function factsStated({ facts }: Pick<Exam, 'facts'>, text: string): ExamFact[] {
  const plain = plainText(text)
  return facts.filter((fact) => states(plain, fact))
}

/** Case, white space and marks of emphasis make no difference. */
function plainText(text: string): string {
  return withoutMarks(text).replace(/\s+/g, ' ').toLowerCase()
}

function withoutMarks(text: string): string {
  return text.replaceAll('`', '').replaceAll('**', '')
}

/** Where a key is in a text. */
interface Spot {
  start: number
  end: number
}

/**
 * Whether one stretch holds a spot of every group. It may as well begin where a spot does; from
 * there the spot of each group that ends first decides.
 */
function states(text: string, { keys, within }: ExamFact): boolean {
  const groups: Spot[][] = []
  for (const group of keys) {
    const spots = spotsOf(text, group)
    if (spots.length === 0) return false
    groups.push(spots)
  }
  const ends = groups.map(firstEnds)
  const begins = groups.flat().map(({ start }) => start)
  return begins.some((begin) =>
    groups.every((spots, index) => {
      const end = ends[index]?.[firstFrom(spots, begin)]
      return end !== undefined && end <= begin + within
    }),
  )
}

/** For each spot, the earliest end of it and all later ones. */
function firstEnds(spots: readonly Spot[]): number[] {
  const ends: number[] = []
  let first = Infinity
  for (let index = spots.length - 1; index >= 0; index--) {
    first = Math.min(first, spots[index]?.end ?? Infinity)
    ends[index] = first
  }
  return ends
}

/** The index of the first spot that starts there or later. */
function firstFrom(spots: readonly Spot[], start: number): number {
  let low = 0
  let high = spots.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spots[middle]?.start ?? 0) < start) low = middle + 1
    else high = middle
  }
  return low
}

/** Every spot of every alternative, in order. */
function spotsOf(text: string, alternatives: readonly string[]): Spot[] {
  return alternatives
    .flatMap((key) => (isPattern(key) ? matchesOf(text, key) : placesOf(text, key)))
    .toSorted((a, b) => a.start - b.start)
}

function isPattern(key: string): boolean {
  return key.length > 2 && key.startsWith('/') && key.endsWith('/')
}

function matchesOf(text: string, key: string): Spot[] {
  return [...text.matchAll(new RegExp(key.slice(1, -1), 'gi'))].map(({ 0: match, index }) => {
    return { start: index, end: index + match.length }
  })
}

function placesOf(text: string, key: string): Spot[] {
  const words = withoutMarks(key).toLowerCase()
  const spots: Spot[] = []
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    spots.push({ start: at, end: at + words.length })
  }
  return spots
}
