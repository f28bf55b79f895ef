import { overflowOf } from 'throughline/engine'
import { keepNewest } from './keep-newest.ts'
import type { Window } from 'throughline'

/** A model at a provider. */
export interface ModelAt {
  base: string
  model: string
}

// Where a refusal names no limit, the refused request says that it is lower than itself.
const surelyLess = 0.9
const smallestWindow = 1_000

/** What refusals have said of windows: every session of a model is spared what one was refused. */
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
  }

  /** The window of a model, or the smaller one that was learned; `undefined` where nobody knows it. */
  windowOf(of: ModelAt, known: Window | undefined): Window | undefined {
    const key = keyOf(of)
    const learned = Math.min(
      this.#named.get(key) ?? Infinity,
      this.#assumed.get(key) ?? Infinity,
      known?.context ?? Infinity,
    )
    return Number.isFinite(learned) ? { ...known, context: learned } : undefined
  }
}

const keyOf = ({ base, model }: ModelAt): string => `${base} ${model}`
