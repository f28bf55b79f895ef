import { clipEnd } from './clip-words.ts'
import type { CountTokens } from '../../../tokens/counter.ts'

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

/** Attempts are cheap, and each comes closer: after six, less than a line is unused. */
const rounds = 6

/**
 * The longest list of names that fits into the remaining room. Only whole lines can be counted, so
 * the number of names is found by trying: each round corrects it by what the last one cost. `room`
 * already accounts for the lines without names.
 */
export function namesWithin(
  room: Room,
  all: number,
  linesOf: (names: number) => readonly string[],
): readonly string[] {
  // A name has at least eight characters and costs at least one token.
  const most = Math.min(all, Math.max(room.left, 0))
  const bare = linesOf(0)
  const paid = costOf(bare)
  let best = bare
  let fits = 0
  let tooMany = most + 1
  let names = most
  for (let round = 0; round < rounds && tooMany - fits > 1; round++) {
    const tried = linesOf(names)
    const cost = costOf(tried) - paid
    if (cost <= room.left) {
      best = tried
      fits = names
    } else {
      tooMany = names
    }
    const guess = Math.floor((names * Math.max(room.left, 0)) / Math.max(cost, 1))
    names = guess > fits && guess < tooMany ? guess : Math.floor((fits + tooMany) / 2)
  }
  return best

  function costOf(lines: readonly string[]): number {
    return lines.length === 0 ? 0 : room.cost(lines.join('\n'))
  }
}
