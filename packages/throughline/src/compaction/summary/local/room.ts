import { clipEnd } from './clip-words.ts'
import type { CountTokens } from '../../../tokens/message-tokens.ts'

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
