import { defaultPolicy, policyFor, type Policy } from '../compaction/policy.ts'
import { Sizes } from './compacting/sizes.ts'
import { pluginFailures, type PluginFailures } from './plugins/errors.ts'
import { checkDraft, checkTime } from '../log/check-draft.ts'
import { compactorInTime, storeInTime, summarizerInTime } from './in-time.ts'
import { whoIsAsked } from '../compaction/ask-model.ts'
import { checkOptions } from './options.ts'
import { tellListener, tellPlugins, withPlugins } from './plugins/with-plugins.ts'
import { counterOf } from '../tokens/counter.ts'
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
import type { SessionOptions } from './options.ts'
import type { Store } from './store.ts'

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
  /** Appends to the log, and reports it. */
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
