/** What candidates cost and bring, each at its position. */
export interface Candidates {
  /** Candidates of one text stand next to each other, in its order. */
  text: Int32Array
  tokens: Float64Array
  /** What the text's first unit costs beside its own words. */
  frame: Float64Array
  /** How much more or less a term in it is worth than elsewhere; 0 for what only introduces others. */
  weight: Float64Array
  /** Where its terms stand in the list of all. */
  from: Int32Array
  to: Int32Array
  /** Of those that say the same, only one is chosen. */
  says: Float64Array
  /** Candidates that must come along, by position, of those that need any. */
  leads: ReadonlyMap<number, readonly number[]>
  /** 1 where others wrote it: it may take its share, and what the rest leaves. */
  loaded: Uint8Array
  /** 1 where it says that something is not so. */
  isNegated: Uint8Array
}

/** Terms as numbers below `size`: those of all candidates, one after the other. */
export interface Terms {
  size: number
  at: (position: number) => number
  /** What each is worth, where somebody knows that already. */
  worth?: Float64Array
  /** Whether it is a name or a number. */
  isSpecific?: (term: number) => boolean
}

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
