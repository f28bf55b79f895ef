import { Purse, type Held, type Refused } from './purse.ts'
import { nameOf, secondsLeft, type Budget, type Cost } from './budget.ts'
import type { Refusal } from '../server/refusals.ts'
import type { GatewayStore } from '../store/gateway-store.ts'

interface LedgerOptions {
  store: Pick<GatewayStore, 'spend'>
  now: () => number
  onProblem: (problem: unknown) => void
}

/** What a request holds of all budgets that it is charged to. */
export interface Hold {
  /** Once: what the request has cost. */
  settle: (cost: Cost) => void
}

/** Why a request is not served, and which budget says so. */
export interface Shortage {
  why: Refused
  budget: Budget
}

// How long a request waits for others of its budget to be answered, in milliseconds.
const patience = 10_000

const mostPurses = 10_000

const nothing: Cost = { tokens: 0, microdollars: 0 }

/** All budgets that are used in this process. */
export class Ledger {
  readonly #options: LedgerOptions
  readonly #purses = new Map<string, { purse: Purse; budget: Budget }>()

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  /**
   * Holds what a request is expected to cost, of every budget or of none. Where only others that are
   * being answered hold the rest of a budget, it waits for them.
   */
  async hold(
    budgets: readonly Budget[],
    expected: Cost,
    signal?: AbortSignal,
  ): Promise<Hold | Shortage> {
    const held: { purse: Purse; budget: Budget; share: Held }[] = []
    const settle = (cost: Cost): void => {
      for (const { purse, budget, share } of held) purse.settle(budget, share, cost[budget.of])
    }
    const end = performance.now() + patience
    for (const budget of budgets) {
      const purse = this.#purseOf(budget)
      let share = await purse.hold(budget, expected[budget.of])
      while (share === 'busy' && performance.now() < end) {
        if (signal?.aborted) break
        await purse.settled(end - performance.now())
        share = await purse.hold(budget, expected[budget.of])
      }
      if (typeof share === 'string') {
        settle(nothing)
        return { why: share, budget }
      }
      held.push({ purse, budget, share })
    }
    return { settle }
  }

  /** The budget of which nothing is left, if there is one; what is only held may be left. */
  async shortage(budgets: readonly Budget[]): Promise<Shortage | undefined> {
    for (const budget of budgets) {
      const purse = this.#purseOf(budget)
      const why = await purse.hold(budget, 0)
      if (typeof why !== 'string') purse.settle(budget, why, 0)
      else if (why !== 'busy') return { why, budget }
    }
    return undefined
  }

  /** Waits until the store knows what was spent, and gives back what was not. */
  async close(): Promise<void> {
    await Promise.all([...this.#purses.values()].map(({ purse, budget }) => purse.close(budget)))
  }

  #purseOf(budget: Budget): Purse {
    const { id } = budget
    const purse = this.#purses.get(id)?.purse ?? new Purse(this.#options)
    this.#purses.delete(id)
    this.#purses.set(id, { purse, budget })
    if (this.#purses.size > mostPurses) this.#closeOldest()
    return purse
  }

  /** Callers come without end: what the one that has been away the longest has left is given back. */
  #closeOldest(): void {
    for (const [id, { purse, budget }] of this.#purses) {
      if (purse.isInUse) continue
      this.#purses.delete(id)
      void purse.close(budget)
      return
    }
  }
}

// How many seconds a client waits where there may be more at any moment.
const soon = 5

/** What a client is told of a shortage. */
export function sayingOf({ why, budget }: Shortage, now: number): Refusal {
  const { whose, per } = budget
  if (why === 'unreachable') {
    const message = `It is not known what is left of the budget of ${whose}. Try again soon.`
    return { status: 503, type: 'budget_unknown', message, again: soon }
  }
  const again = why === 'busy' ? soon : secondsLeft(budget, now)
  const done = why === 'busy' ? 'uses' : 'has used'
  const message = `${whose} ${done} its ${nameOf(budget)}. Go on in ${again} seconds.`
  const type = per === 'day' && why === 'spent' ? 'budget_spent' : 'budget_rate'
  return { status: 429, type, message, again }
}
