import { defaultPolicy, policyFor, type Policy } from '../compaction/policy.ts'
import { pluginFailures, type PluginFailures } from './plugins/errors.ts'
import { checkDraft, checkTime } from '../log/check-draft.ts'
import { compactorInTime, storeInTime, summarizerInTime } from './in-time.ts'
import { whoIsAsked } from '../compaction/ask-model.ts'
import { checkOptions, type SessionOptions } from './options.ts'
import { tellListener, tellPlugins, withPlugins } from './plugins/with-plugins.ts'
import { counterOf, type Counter } from '../tokens/counter.ts'
import { timeSlices, type Turn } from './loop/pause.ts'
import { StoredLog } from './stored-log.ts'
import { Views } from './views.ts'
import type { Cold } from '../compaction/cold-cache.ts'
import type { Entry, EntryDraft, Seq } from '../log/entry.ts'
import type { Facts } from '../facts/facts.ts'
import type { PlanInput } from '../compaction/plan/plan.ts'
import type { Trigger } from '../compaction/trigger.ts'
import type { EventSource, SessionEvent } from './events.ts'
import type { Summarizer } from '../compaction/summary/with-model/summarizer.ts'
import type { ProviderCompactor } from '../compaction/provider/provider-compactor.ts'
import type { Store } from './store.ts'
import { pacedOf, isDueSoon } from '../compaction/plan/gate.ts'
import { budgetOf, type Budget } from '../compaction/plan/budget.ts'
import { countAhead, measure, type Measurement } from '../compaction/measure/measure.ts'
import { readAhead } from '../compaction/plan/planned-units.ts'
import { summaryRoleOf } from '../compaction/render/summary-block.ts'
import { learnedWindow, ratioOf } from '../tokens/calibration.ts'
import {
  plus,
  toEstimated,
  toModel,
  type EstimatedTokens,
  type ModelTokens,
} from '../tokens/units.ts'
import { checkWindow, type Window } from '../tokens/window.ts'
import type { Message } from '../log/message.ts'

/** What a session is made of: its operations work on this. */
export interface Internals {
  readonly options: SessionOptions
  /** Given up after the policy's times, as is the summarizer. */
  readonly store: Store
  readonly summarizer: Summarizer | undefined
  readonly compactor: ProviderCompactor | undefined
  /** Who answers, if known. */
  readonly provider: string | undefined
  /** As the plugins extend it. */
  readonly policy: Policy
  readonly stored: StoredLog
  readonly views: Views
  readonly sizes: Sizes
  readonly pluginFailures: PluginFailures
  /** Folds, renders and counts what is new, giving way to others where that takes long. */
  ready: (turn?: Turn) => Promise<void>
  now: () => number
  emit: (event: SessionEvent) => void
  append: (...drafts: EntryDraft[]) => Promise<Entry[]>
  /** The same if nothing was written after `newest`; throws StoreConflictError. */
  appendAfter: (newest: Seq, ...drafts: EntryDraft[]) => Promise<Entry[]>
}

/** @throws InvalidWindowError, PluginError */
// As many are checked in a fraction of a millisecond.
const fewDrafts = 100

export function internalsOf(options: SessionOptions): Internals {
  checkOptions(options)
  const { id, model, directories, plugins = [], summarizer, compactor } = options
  const provider = options.provider ?? compactor?.provider
  const source: EventSource = { session: id, model }
  const failures = pluginFailures((error) => emit({ type: 'plugin-failed', error }))
  const policy = withPlugins(policyFor(options.policy ?? defaultPolicy, model), plugins, {
    failed: failures.add,
    fits: (message) => sizes.inModelTokens(message) <= sizes.budget().keep / 4,
  })
  const store = storeInTime(options.store, policy.storeTimeout)
  const stored = new StoredLog(store, id, policy.breaker.failures, (entries) =>
    emit({ type: 'written-elsewhere', entries }),
  )
  const counter = counterOf({ count: options.count, ratio: 1 })
  const views = new Views(
    stored,
    { lenses: policy.lenses, directories, count: counter.text },
    provider,
  )
  const sizes = new Sizes(options, policy, views, counter)

  function emit(event: SessionEvent): void {
    tellListener(options.onEvent, event, failures.add)
    tellPlugins(plugins, event, source, failures.add)
  }

  async function reported(
    drafts: readonly EntryDraft[],
    append: () => Promise<Entry[]>,
  ): Promise<Entry[]> {
    const turn = timeSlices()
    for (const [at, draft] of drafts.entries()) {
      checkDraft(draft)
      // A short append is done at once: its entries have their time, and others may write meanwhile.
      if (at % fewDrafts === fewDrafts - 1) await turn()
    }
    const entries = await append()
    emit({ type: 'appended', entries })
    return entries
  }

  return {
    options,
    policy,
    store,
    summarizer: summarizer && summarizerInTime(summarizer, policy.summaryTimeout),
    compactor: compactor && compactorInTime(compactor, policy.summaryTimeout),
    provider,
    stored,
    views,
    sizes,
    pluginFailures: failures,
    ready: async (turn = timeSlices()) => {
      await views.ready(turn)
      await sizes.ready(turn)
    },
    now: () => checkTime((options.now ?? Date.now)()),
    emit,
    append: (...drafts) => reported(drafts, () => stored.append(drafts)),
    appendAfter: (newest, ...drafts) => reported(drafts, () => stored.appendAfter(newest, drafts)),
  }
}

/** What a compaction is planned on, now. */
export function planInput(
  session: Internals,
  trigger: Trigger,
  facts: () => Facts,
  cold?: Cold,
): PlanInput {
  const { options, policy, stored, views, sizes, summarizer, compactor } = session
  const circuitBreaker = views.circuitBreaker()
  return {
    log: stored.recent,
    context: views.context(),
    facts,
    frame: options,
    window: sizes.window,
    policy,
    counter: sizes.counter,
    trigger,
    summarizer: whoIsAsked({ summarizer, compactor, circuitBreaker }, policy),
    cold,
  }
}

/** How large a session's next request is, and how large it may be, in tokens of the model. */
class Sizes {
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
