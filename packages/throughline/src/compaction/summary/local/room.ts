import { clipEnd } from './clip-words.ts'
import type { CountTokens } from '../../../tokens/count.ts'

/** What is left of a budget while a summary is put together, in tokens. */
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

  /** Takes the lines, whatever they cost. */
  take(lines: readonly string[]): readonly string[] {
    for (const line of lines) this.#left -= this.cost(line)
    return lines
  }

  /** Takes lines while they fit into `limit` and into what is left; a line that does not is skipped. */
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

  /** How many characters of a text `tokens` hold: by its own density, so that any script fits. */
  characters(text: string, tokens: number): number {
    const sample = text.slice(0, 4_000)
    const density = sample.length / Math.max(this.#count(sample), 1)
    return Math.max(Math.floor(Math.max(tokens, 0) * density), 0)
  }

  /** The beginning of a text in at most about `tokens`. */
  clip(text: string, tokens: number): string {
    return clipEnd(text, this.characters(text, tokens))
  }
}

/** Tries are cheap, and each comes nearer: six leave less than a line unused. */
const rounds = 6

/**
 * The longest list of names that fits into what is left. Only the lines as a whole can be
 * counted, so their number is found by trying: each round corrects by what the last one
 * cost. `room` has paid for the lines without names already.
 */
export function namesWithin(
  room: Room,
  all: number,
  linesOf: (names: number) => readonly string[],
): readonly string[] {
  // A name has eight characters or more, and takes a token at least.
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
