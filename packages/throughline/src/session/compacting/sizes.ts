import { pacedOf } from '../../compaction/plan/gate.ts'
import { budgetOf, type Budget } from '../../compaction/plan/budget.ts'
import { countAhead, measure, type Measurement } from '../../compaction/measure/measure.ts'
import { whoIsAsked } from '../../compaction/ask-model.ts'
import { readAhead } from '../../compaction/plan/planned-units.ts'
import type { Turn } from '../loop/pause.ts'
import type { Counter } from '../../tokens/counter.ts'
import { summaryRoleOf } from '../../compaction/render/summary-block.ts'
import { isDueSoon } from '../../compaction/plan/gate.ts'
import { learnedWindow, ratioOf } from '../../tokens/calibration.ts'
import {
  plus,
  toEstimated,
  toModel,
  type EstimatedTokens,
  type ModelTokens,
} from '../../tokens/units.ts'
import { checkWindow, type Window } from '../../tokens/window.ts'
import type { Message } from '../../log/message.ts'
import type { Policy } from '../../compaction/policy.ts'
import type { SessionOptions } from '../options.ts'
import type { Views } from '../views.ts'

/** How large a session's next request is, and how large it may be, in tokens of the model. */
export class Sizes {
  readonly #options: SessionOptions
  readonly #policy: Policy
  readonly #views: Views
  /** One for all sizes, since sums are remembered by what counted them. */
  readonly #counter: Omit<Counter, 'ratio'>

  /** @throws InvalidWindowError if the window is invalid. */
  constructor(
    options: SessionOptions,
    policy: Policy,
    views: Views,
    counter: Omit<Counter, 'ratio'>,
  ) {
    checkWindow(options.window)
    this.#options = options
    this.#policy = policy
    this.#views = views
    this.#counter = { text: counter.text, message: counter.message }
  }

  /** The model's window, or the smaller one learned from its provider's errors. */
  get window(): Window {
    return learnedWindow(this.#views.calibrations(), this.#options)
  }

  get counter(): Counter {
    return { ...this.#counter, ratio: ratioOf(this.#views.calibrations(), this.#options.model) }
  }

  /** Reads and counts ahead of plans and measures, giving way to others again and again. */
  async ready(turn: Turn): Promise<void> {
    const context = this.#views.context()
    await turn()
    for (const _ of readAhead(context)) await turn()
    await turn()
    const { counter } = this
    await turn()
    for (const _ of countAhead(context.items, counter, summaryRoleOf(this.#policy))) await turn()
  }

  measure(): Measurement {
    const context = this.#views.context()
    return measure(context, this.#options, this.counter, summaryRoleOf(this.#policy))
  }

  /** As our counter estimates it, as if nothing had been learned of the model. */
  estimate(): EstimatedTokens {
    const counter = { ...this.counter, ratio: 1 }
    const context = { ...this.#views.context(), measured: undefined }
    const { tokens } = measure(context, this.#options, counter, summaryRoleOf(this.#policy))
    // At a ratio of 1 the model counts as we do.
    return toEstimated(tokens, counter.ratio)
  }

  budget(): Budget {
    const { system, tools } = this.measure()
    const { summarizer, compactor } = this.#options
    const circuitBreaker = this.#views.circuitBreaker()
    const paced = pacedOf({
      context: this.#views.context(),
      log: this.#views.recent,
      counter: this.counter,
      policy: this.#policy,
      frame: this.#options,
      summarizer: whoIsAsked({ summarizer, compactor, circuitBreaker }, this.#policy),
    })
    return budgetOf(this.#policy, this.window, plus(system, tools), paced)
  }

  inModelTokens(message: Message): ModelTokens {
    const { message: count, ratio } = this.counter
    return toModel(count(message), ratio)
  }

  fits(): boolean {
    return this.measure().tokens < this.budget().threshold
  }

  /** Whether what does fit is to be compacted soon. */
  isDueSoon(): boolean {
    return isDueSoon(this.measure().tokens, this.#policy, this.budget())
  }
}
