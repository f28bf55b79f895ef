import { defaultPolicy, policyFor, type Policy } from '../compaction/policy.ts'
import { Sizes } from './compacting/sizes.ts'
import { pluginFailures, type PluginFailures } from './plugins/plugin-failures.ts'
import { tellPlugins } from './plugins/tell-plugins.ts'
import { withPlugins } from './plugins/with-plugins.ts'
import { StoredLog } from './stored-log.ts'
import { Views } from './views.ts'
import type { Entry, EntryDraft } from '../log/entry.ts'
import type { Facts } from '../facts/facts.ts'
import type { PlanInput, Trigger } from '../compaction/plan/plan.ts'
import type { EventSource, SessionEvent } from './events.ts'
import type { SessionOptions } from './options.ts'

/** What a session is made of: its operations work on this. */
export interface Internals {
  readonly options: SessionOptions
  /** As the plugins extend it. */
  readonly policy: Policy
  readonly stored: StoredLog
  readonly views: Views
  readonly sizes: Sizes
  readonly pluginFailures: PluginFailures
  now: () => number
  emit: (event: SessionEvent) => void
  /** Appends to the log, and reports it. */
  append: (...drafts: EntryDraft[]) => Promise<Entry[]>
}

/** @throws InvalidWindowError, PluginError */
export function internalsOf(options: SessionOptions): Internals {
  const { store, id, model, directories, plugins = [] } = options
  const source: EventSource = { session: id, model }
  const failures = pluginFailures((error) => emit({ type: 'plugin-failed', error }))
  const policy = withPlugins(policyFor(options.policy ?? defaultPolicy, model), plugins, {
    failed: failures.add,
    fits: (message) => sizes.inModelTokens(message) <= sizes.budget().keep / 4,
  })
  const stored = new StoredLog(store, id, policy.breaker.failures)
  const views = new Views(stored, { lenses: policy.lenses, directories })
  const sizes = new Sizes(options, policy, views)

  function emit(event: SessionEvent): void {
    options.onEvent?.(event)
    tellPlugins(plugins, event, source, failures.add)
  }

  return {
    options,
    policy,
    stored,
    views,
    sizes,
    pluginFailures: failures,
    now: () => (options.now ?? Date.now)(),
    emit,
    append: async (...drafts) => {
      const entries = await stored.append(drafts)
      emit({ type: 'appended', entries })
      return entries
    },
  }
}

/** What a compaction is planned on, now. */
export function planInput(session: Internals, trigger: Trigger, facts: Facts): PlanInput {
  const { options, policy, stored, views, sizes } = session
  return {
    log: stored.recent,
    context: views.context(),
    facts: () => facts,
    frame: options,
    window: sizes.window,
    policy,
    counter: sizes.counter,
    trigger,
  }
}
