import type { Candidates, Terms } from './choose.ts'

/** With fewer terms, many sentences look alike. */
const fewestTerms = 5
/** A unit says the same as another one that holds this share of its terms. */
const mostSaid = 0.85

/**
 * The units that were chosen, by their terms, so that nothing is told again in other words: what an
 * agent thought, it often says to the human, too. Units of one text are parts of one list.
 */
export class Repeats {
  readonly #candidates: Candidates
  readonly #terms: Terms
  readonly #chosen = new Map<number, number[]>()

  constructor(candidates: Candidates, terms: Terms) {
    this.#candidates = candidates
    this.#terms = terms
  }

  /** A unit was chosen. */
  add(unit: number): void {
    for (const term of this.#termsOf(unit)) {
      const units = this.#chosen.get(term)
      if (units) units.push(unit)
      else this.#chosen.set(term, [unit])
    }
  }

  /** Whether a chosen unit of another text says it: no name or number may be missing there. */
  tells(unit: number): boolean {
    const { text, isNegated, from, to } = this.#candidates
    const length = (to[unit] as number) - (from[unit] as number)
    if (length < fewestTerms) return false
    const shared = new Map<number, number>()
    let missed = 0
    for (const term of this.#termsOf(unit)) {
      const units = this.#chosen.get(term)
      if (units === undefined) {
        missed += 1
        if (missed > length * (1 - mostSaid) || this.#terms.isSpecific?.(term)) return false
        continue
      }
      for (const other of units) shared.set(other, (shared.get(other) ?? 0) + 1)
    }
    for (const [other, count] of shared) {
      if (count < length * mostSaid || text[other] === text[unit]) continue
      if (isNegated[other] === isNegated[unit] && this.#holdsNames(other, unit)) return true
    }
    return false
  }

  #holdsNames(other: number, unit: number): boolean {
    const there = new Set(this.#termsOf(other))
    return this.#termsOf(unit).every((term) => there.has(term) || !this.#terms.isSpecific?.(term))
  }

  #termsOf(unit: number): number[] {
    const { from, to } = this.#candidates
    const terms: number[] = []
    for (let at = from[unit] as number; at < (to[unit] as number); at++) {
      terms.push(this.#terms.at(at))
    }
    return terms
  }
}
