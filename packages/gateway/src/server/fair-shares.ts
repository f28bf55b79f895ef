/**
 * A limit that callers share. Each gets at most half of what the others leave, so that something is left
 * for whoever comes next, however much one takes.
 */
export class FairShares {
  readonly #limit: () => number
  readonly #of = new Map<string, number>()
  #taken = 0

  constructor(limit: () => number) {
    this.#limit = limit
  }

  /** Whether a caller may have so much more; then it has it. */
  take(caller: string, amount: number): boolean {
    const own = this.#of.get(caller) ?? 0
    const left = Math.max(0, this.#limit() - (this.#taken - own))
    if (own + amount > Math.ceil(left / 2)) return false
    this.#add(caller, amount)
    return true
  }

  give(caller: string, amount: number): void {
    this.#add(caller, -amount)
  }

  #add(caller: string, amount: number): void {
    this.#taken += amount
    const own = (this.#of.get(caller) ?? 0) + amount
    if (own > 0) this.#of.set(caller, own)
    else this.#of.delete(caller)
  }
}
