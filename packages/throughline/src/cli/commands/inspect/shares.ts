/** The part of a context that something takes, in tokens. */
export interface Share {
  name: string
  tokens: number
  /** How many messages, calls or steps it covers. */
  count: number
}

/** Adds up shares by name. */
export class Shares {
  readonly #byName = new Map<string, Share>()

  add(name: string, tokens: number, count = 1): void {
    const share = this.#byName.get(name)
    if (share) {
      share.tokens += tokens
      share.count += count
    } else {
      this.#byName.set(name, { name, tokens, count })
    }
  }

  /** Largest first; equal ones by name. */
  sorted(): Share[] {
    return [...this.#byName.values()].sort(
      (a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1),
    )
  }
}
