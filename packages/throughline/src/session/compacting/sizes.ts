import { budgetOf, type Budget } from '../../compaction/plan/budget.ts'
import { measure, type Counter, type Measurement } from '../../compaction/measure/measure.ts'
import { summaryRoleOf } from '../../compaction/render/summary-block.ts'
import { startingRatio } from '../../tokens/calibration.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import { checkWindow, type Window } from '../../tokens/window.ts'
import { createMessageCounter } from '../../tokens/message-tokens.ts'
import type { Policy } from '../../compaction/policy.ts'
import type { SessionOptions } from '../options.ts'
import type { Views } from '../views.ts'

/** How large a session's next request is, and how large it may be, in tokens. */
export class Sizes {
  readonly #options: SessionOptions
  readonly #policy: Policy
  readonly #views: Views
  readonly #countMessage: Counter['message']

  /** @throws InvalidWindowError if the window is none. */
  constructor(options: SessionOptions, policy: Policy, views: Views) {
    checkWindow(options.window)
    this.#options = options
    this.#policy = policy
    this.#views = views
    this.#countMessage = createMessageCounter(options.count ?? estimateTokens)
  }

  /** The model's window, or the smaller one that its provider's errors have taught. */
  get window(): Window {
    const { window, model } = this.#options
    const limit = this.#views.learned().limits.get(model ?? '')
    return limit === undefined || limit >= window.context ? window : { ...window, context: limit }
  }

  get counter(): Counter {
    const { count, model } = this.#options
    const ratio = this.#views.learned().ratios.get(model ?? '') ?? startingRatio(model)
    return { text: count ?? estimateTokens, message: this.#countMessage, ratio }
  }

  measure(): Measurement {
    const context = this.#views.context()
    return measure(context, this.#options, this.counter, summaryRoleOf(this.#policy))
  }

  /** By our own count alone, as if nothing had been learned of the model. */
  estimate(): number {
    const counter = { ...this.counter, ratio: 1 }
    const context = { ...this.#views.context(), measured: undefined }
    return measure(context, this.#options, counter, summaryRoleOf(this.#policy)).tokens
  }

  budget(): Budget {
    const { system, tools } = this.measure()
    return budgetOf(this.#policy, this.window, system + tools, this.counter.ratio)
  }

  fits(): boolean {
    return this.measure().tokens < this.budget().threshold
  }
}
