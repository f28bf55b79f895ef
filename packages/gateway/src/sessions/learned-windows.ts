import { overflowOf } from 'throughline/engine'
import { keepNewest } from './keep-newest.ts'
import type { Window } from 'throughline'

/** A model at a provider, as one caller reaches it. */
export interface ModelAt {
  base: string
  model: string
  /** Who is refused: what a provider says to one caller changes nothing for another. */
  caller: string
}

// Where a refusal names no limit, the refused request says that it is lower than itself.
const surelyLess = 0.9
const smallestWindow = 1_000
// Our count may be so much smaller than the provider's.
const mostOff = 2

/**
 * What refusals have said of windows: every session of a caller is spared what one was refused. A
 * provider's error may repeat what the caller sent, so it teaches nothing about others.
 */
export class LearnedWindows {
  readonly #named = new Map<string, number>()
  /** Of refusals that named no limit: lower than what was refused, and no lower than what was taken. */
  readonly #assumed = new Map<string, number>()
  readonly #taken = new Map<string, number>()

  /** A request of so many tokens was refused. */
  refused(of: ModelAt, error: unknown, tokens: number): void {
    const overflow = overflowOf(error)
    if (overflow?.unit !== 'tokens') return
    const key = keyOf(of)
    const { limit } = overflow
    const learned = limit ?? Math.max(Math.floor(tokens * surelyLess), this.#taken.get(key) ?? 0)
    // A limit that is no less than what was taken, or than what was refused, is not why it was refused.
    if (limit !== undefined && (limit < (this.#taken.get(key) ?? 0) || limit > tokens * mostOff))
      return
    const windows = limit === undefined ? this.#assumed : this.#named
    const known = windows.get(key) ?? Infinity
    if (learned >= smallestWindow && learned < known) keepNewest(windows, key, learned)
  }

  /** A request of so many tokens was answered: what was only assumed is no lower. */
  taken(of: ModelAt, tokens: number): void {
    const key = keyOf(of)
    if (tokens <= (this.#taken.get(key) ?? 0)) return
    keepNewest(this.#taken, key, tokens)
    const assumed = this.#assumed.get(key)
    if (assumed !== undefined && tokens > assumed) keepNewest(this.#assumed, key, tokens)
    if (tokens > (this.#named.get(key) ?? Infinity)) this.#named.delete(key)
  }

  /**
   * The window of a model, or the smaller one that was learned; `undefined` where nobody knows it. What
   * an operator has set is not made smaller by what a provider says.
   */
  windowOf(of: ModelAt, known: Window | undefined, isSet = false): Window | undefined {
    if (isSet) return known
    const key = keyOf(of)
    const learned = Math.min(
      this.#named.get(key) ?? Infinity,
      this.#assumed.get(key) ?? Infinity,
      known?.context ?? Infinity,
    )
    return Number.isFinite(learned) ? { ...known, context: learned } : undefined
  }
}

const keyOf = ({ base, model, caller }: ModelAt): string => `${caller} ${base} ${model}`
