import { overflowOf } from 'throughline/engine'
import { BoundedMap } from '../body/bounded-map.ts'
import type { LearnedWindow } from '../store/gateway-store.ts'
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
/** No smaller window is learned. */
export const smallestWindow = 1_000
// Before a provider has counted anything, our count of a request may be half of what it is.
const mostOff = 2
/** How long a window is believed, in milliseconds: then a refusal must say it again. */
const believedFor = 24 * 60 * 60_000

/**
 * What refusals have said of windows: every session of a caller is spared what one was refused. A
 * provider's error may repeat what the caller sent, so it teaches nothing about others.
 */
export class LearnedWindows {
  readonly #now: () => number
  readonly #learned = new BoundedMap<LearnedWindow>()
  readonly #taken = new BoundedMap<number>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** A request of so many tokens was refused. Says whether that was news. */
  refused(of: ModelAt, error: unknown, tokens: number): boolean {
    const overflow = overflowOf(error)
    if (overflow?.unit !== 'tokens' || !this.#believes(of, error, tokens)) return false
    const { limit } = overflow
    const taken = this.#taken.get(modelName(of)) ?? 0
    const context = limit ?? Math.max(Math.floor(tokens * surelyLess), taken)
    const known = this.learnedOf(of)
    const isNamed = limit !== undefined
    if (context < smallestWindow || (known && (known.context <= context && known.isNamed >= isNamed))) return false // prettier-ignore
    this.remember(of, { context, isNamed, at: this.#now() })
    return true
  }

  /** Whether the limit that an error names can be why a request of so many tokens was refused. */
  #believes(of: ModelAt, error: unknown, tokens: number): boolean {
    const limit = overflowOf(error)?.limit
    if (limit === undefined) return true
    return limit <= tokens * mostOff && limit >= (this.#taken.get(modelName(of)) ?? 0)
  }

  /** A request of so many tokens was answered: its window is no smaller. Says whether that is news. */
  taken(of: ModelAt, tokens: number): boolean {
    const key = modelName(of)
    if (tokens <= (this.#taken.get(key) ?? 0)) return false
    this.#taken.set(key, tokens)
    const learned = this.learnedOf(of)
    if (!learned || tokens <= learned.context) return false
    // A limit that was named and is none, was never one.
    if (learned.isNamed) this.#learned.delete(key)
    else this.remember(of, { ...learned, context: tokens })
    return true
  }

  /** Forgets all that was learned of some callers, or of all. */
  forget(callers: readonly string[] | undefined): void {
    const isOf = (key: string) => !callers || callers.some((one) => key.startsWith(`${one} `))
    for (const map of [this.#learned, this.#taken]) {
      for (const [key] of map) if (isOf(key)) map.delete(key)
    }
  }

  remember(of: ModelAt, learned: LearnedWindow): void {
    this.#learned.set(modelName(of), learned)
  }

  /** What is believed of a window now. */
  learnedOf(of: ModelAt): LearnedWindow | undefined {
    const learned = this.#learned.get(modelName(of))
    return learned && this.#now() - learned.at < believedFor ? learned : undefined
  }

  /**
   * The window of a model, or the smaller one that was learned; `undefined` where nobody knows it. What
   * an operator has set is not made smaller by what a provider says.
   */
  windowOf(of: ModelAt, known: Window | undefined, isSet = false): Window | undefined {
    if (isSet) return known
    const learned = this.learnedOf(of)?.context ?? Infinity
    const context = Math.min(learned, known?.context ?? Infinity)
    return Number.isFinite(context) ? { ...known, context } : undefined
  }
}

/** One text for each. */
export const modelName = ({ base, model, caller }: ModelAt): string => `${caller} ${base} ${model}`
