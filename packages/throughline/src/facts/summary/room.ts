import { clipEnd } from './clip-words.ts'
import type { CountTokens } from '../../tokens/message-tokens.ts'

/** The rest of a budget while a summary is assembled, in tokens. */
export class Room {
  readonly #count: CountTokens
  #left: number

  constructor(tokens: number, count: CountTokens) {
    this.#left = tokens
    this.#count = count
  }

  get left(): number {
    return this.#left
  }

  cost(line: string): number {
    return this.#count(`${line}\n`)
  }

  /** Adds the lines, whatever they cost. */
  take(lines: readonly string[]): readonly string[] {
    for (const line of lines) this.#left -= this.cost(line)
    return lines
  }

  /** Adds lines while they fit into `limit` and the remaining budget; skips lines that don't. */
  takeFitting(lines: Iterable<string>, limit: number): string[] {
    const taken: string[] = []
    let limitLeft = Math.min(limit, this.#left)
    for (const line of lines) {
      const cost = this.cost(line)
      if (cost > limitLeft) continue
      taken.push(line)
      limitLeft -= cost
      this.#left -= cost
    }
    return taken
  }

  /**
   * How many characters of a text `tokens` can hold, by the text's own density, so that any script
   * fits.
   */
  characters(text: string, tokens: number): number {
    const sample = text.slice(0, 4_000)
    const density = sample.length / Math.max(this.#count(sample), 1)
    return Math.max(Math.floor(Math.max(tokens, 0) * density), 0)
  }

  /** The beginning of a text, in at most about `tokens`. */
  clip(text: string, tokens: number): string {
    return clipEnd(text, this.characters(text, tokens))
  }
}

/** Each attempt comes closer to what fits; a few find it. */
const rounds = 8

/** A name with the space after it costs about so many tokens, and seldom fewer than the latter. */
const usualCost = 6
const leastCost = 4

/** Less room than this, in tokens, holds no name. */
const negligible = 2

/** The best names, and how any number of them is listed. */
export interface ListedNames {
  length: number
  linesOf: (names: number) => readonly string[]
}

/**
 * The longest list of names that fits into the remaining room. Only whole lines can be counted, so
 * the number of names is found by trying: each round corrects it by what the last ones cost. However
 * many names a session has, no more of them are asked for than about twice of what fits. `room`
 * already accounts for the lines without names.
 * @param best lists the best names, as many as are asked for or as there are.
 */
export function namesWithin(room: Room, best: (most: number) => ListedNames): readonly string[] {
  const left = Math.max(room.left, 0)
  let asked = Math.ceil(left / leastCost)
  let { length, linesOf } = best(asked)
  let lines = linesOf(0)
  const bare = costOf(lines)
  let fits = { names: 0, cost: 0 }
  let tooMany: typeof fits | undefined
  let names = Math.min(Math.ceil(left / usualCost), length)
  for (let round = 0; round < rounds && names > fits.names; round++) {
    const listed = linesOf(names)
    const tried = { names, cost: costOf(listed) - bare }
    if (tried.cost > left) {
      tooMany = tried
    } else {
      fits = tried
      lines = listed
    }
    const unused = left - fits.cost
    if (unused < negligible) break
    const [from, to] = tooMany ? [fits, tooMany] : [{ names: 0, cost: 0 }, fits]
    // Every name costs at least a token.
    const perName = Math.max((to.cost - from.cost) / (to.names - from.names), 1)
    const guess = fits.names + Math.max(Math.floor(unused / perName), 1)
    if (guess > length && length === asked) {
      asked = 2 * guess
      ;({ length, linesOf } = best(asked))
    }
    names = Math.min(guess, length, tooMany ? tooMany.names - 1 : Infinity)
  }
  return lines

  function costOf(lines: readonly string[]): number {
    return lines.length === 0 ? 0 : room.cost(lines.join('\n'))
  }
}
