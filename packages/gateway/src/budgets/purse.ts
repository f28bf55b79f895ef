import { periodOf, type Budget } from './budget.ts'
import type { GatewayStore } from '../store/gateway-store.ts'

/** What a request has in hand until its cost is known. */
export interface Held {
  period: string
  amount: number
}

/** Why a request has nothing in hand. */
export type Refused = 'spent' | 'busy' | 'unreachable'

interface PurseOptions {
  store: Pick<GatewayStore, 'spend'>
  now: () => number
  onProblem: (problem: unknown) => void
}

// Taken at a time is a sixteenth of what is left: a replica asks seldom while there is much, and
// replicas share what is little to the last token.
const batches = 16
// How long it is believed that nothing is left, in milliseconds: others may give something back.
const believed = 1_000

/**
 * One budget in this process. What is taken from the store counts as spent there before it is used
 * here, so that no replica, and no restart, gives it out again.
 */
export class Purse {
  readonly #options: PurseOptions
  #period = ''
  /** Taken from the store, and neither held nor spent. */
  #free = 0
  #held = 0
  /** All that is taken, here and elsewhere, as far as this process knows. */
  #total = 0
  /** What the store has not been told. */
  #untold = 0
  #spentUntil = 0
  #taking: Promise<unknown> = Promise.resolve()
  readonly #telling = new Set<Promise<unknown>>()
  readonly #waiting = new Set<() => void>()

  constructor(options: PurseOptions) {
    this.#options = options
  }

  /** Whether a request holds something of it, or waits to. */
  get isInUse(): boolean {
    return this.#held > 0 || this.#waiting.size > 0 || this.#telling.size > 0
  }

  /** Holds so much, or what is left of it; of nothing nobody gets anything. */
  async hold(budget: Budget, amount: number): Promise<Held | Refused> {
    this.#goOn(budget)
    if (this.#free < Math.max(amount, 1)) {
      // One after the other, so that all have enough of what one has taken.
      const taken = this.#taking.then(() => this.#take(budget, amount))
      this.#taking = taken
      if (!(await taken)) return 'unreachable'
    }
    if (this.#free <= 0) return this.#held > 0 ? 'busy' : 'spent'
    const held = Math.min(amount, this.#free)
    this.#free -= held
    this.#held += held
    return { period: this.#period, amount: held }
  }

  /** What was held has cost so much. What is over counts now, also where its period has ended. */
  settle(budget: Budget, { period, amount }: Held, spent: number): void {
    this.#goOn(budget)
    const isOver = period !== this.#period
    if (!isOver) this.#held -= amount
    this.#free += isOver ? Math.min(0, amount - spent) : amount - spent
    const spare = 2 * this.#batch(budget)
    const kept = Math.min(Math.max(this.#free, 0), spare)
    if (kept !== this.#free) {
      this.#count(kept - this.#free)
      this.#free = kept
      void this.#tell(budget)
    }
    this.#spentUntil = 0
    for (const wake of this.#waiting) wake()
  }

  /** Waits until something held was settled, at most so many milliseconds. */
  settled(patience: number): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(over)
        resolve()
      }
      const timer = setTimeout(over, patience)
      this.#waiting.add(over)
    })
  }

  /** Gives back what nobody needs, and waits for what the store is told. */
  async close(budget: Budget): Promise<void> {
    this.#count(-this.#free)
    this.#free = 0
    if (this.#untold !== 0) void this.#tell(budget)
    await Promise.all(this.#telling)
  }

  /** Another period begins with nothing. */
  #goOn(budget: Budget): void {
    const period = periodOf(budget, this.#options.now())
    if (period === this.#period) return
    if (this.#untold !== 0) void this.#tell(budget)
    this.#period = period
    this.#free = 0
    this.#held = 0
    this.#total = 0
    this.#untold = 0
    this.#spentUntil = 0
  }

  #batch({ most }: Budget): number {
    return Math.ceil(Math.max(0, most - this.#total) / batches)
  }

  /** Takes what is missing, and some more; `false` where nobody knows how much is left. */
  async #take(budget: Budget, amount: number): Promise<boolean> {
    const { now } = this.#options
    // Twice, where only the store knows that something is left.
    for (let times = 0; times < 2 && this.#free < Math.max(amount, 1); times++) {
      if (now() < this.#spentUntil) return true
      const period = this.#period
      const left = Math.max(0, budget.most - this.#total)
      const wanted = Math.min(left, Math.max(Math.ceil(amount) - this.#free, this.#batch(budget)))
      this.#count(wanted)
      if (!(await this.#tell(budget)) && budget.failClosed) {
        this.#count(-wanted)
        return false
      }
      // What was taken of a period that has ended is of no use.
      if (period !== this.#period) return this.#take(budget, amount)
      this.#free += wanted
      const over = Math.min(wanted, Math.max(0, this.#total - budget.most))
      if (over > 0) {
        this.#free -= over
        this.#count(-over)
        await this.#tell(budget)
      }
      if (this.#free <= 0 && this.#total >= budget.most) this.#spentUntil = now() + believed
      if (wanted > 0) return true
    }
    return true
  }

  #count(amount: number): void {
    this.#total += amount
    this.#untold += amount
  }

  /** Tells the store what it does not know, and hears what is taken in all. */
  #tell({ id }: Budget): Promise<boolean> {
    const { store, onProblem } = this.#options
    const period = this.#period
    const told = this.#untold
    this.#untold = 0
    const telling = store.spend(id, period, told).then(
      (total) => {
        if (period === this.#period) this.#total = total + this.#untold
        return true
      },
      (problem: unknown) => {
        if (period === this.#period) this.#untold += told
        onProblem(problem)
        return false
      },
    )
    this.#telling.add(telling)
    return telling.finally(() => this.#telling.delete(telling))
  }
}
