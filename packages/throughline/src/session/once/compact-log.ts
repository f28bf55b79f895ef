import { advanceContext, contextOf, type Context } from '../../log/context/context.ts'
import { chronological, type Chronological } from '../../log/order.ts'
import { gate } from '../../compaction/plan/gate.ts'
import { reportBefore, type Report } from '../../compaction/report.ts'
import {
  advanceCircuitBreaker,
  closedCircuitBreaker,
} from '../../compaction/summary/with-model/circuit-breaker.ts'
import { defaultPolicy, policyFor, type Policy } from '../../compaction/policy.ts'
import { renderContext } from '../../compaction/render/render.ts'
import { summaryRoleOf } from '../../compaction/render/summary-block.ts'
import { advanceCalibrations, emptyCalibrations, ratioOf } from '../../tokens/calibration.ts'
import { checkWindow, type Window } from '../../tokens/window.ts'
import { checkTime } from '../../log/check-draft.ts'
import { summarizerInTime } from '../in-time.ts'
import { pluginFailures, type PluginError, type PluginFailed } from '../plugins/errors.ts'
import { pluginTemplate, withPlugins } from '../plugins/with-plugins.ts'
import type { RequestFrame } from '../../compaction/measure/measure.ts'
import { counterOf, type Counter } from '../../tokens/counter.ts'
import type { Plan, PlanInput } from '../../compaction/plan/plan.ts'
import type { Trigger } from '../../compaction/trigger.ts'
import type { Facts } from '../../facts/facts.ts'
import type { Compaction } from '../../compaction/compaction.ts'
import type { FactsOptions } from '../../facts/facts-of.ts'
import type { Summarizer } from '../../compaction/summary/with-model/summarizer.ts'
import type { Template } from '../../compaction/summary/template.ts'
import type { Entry } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'
import type { CountTokens } from '../../tokens/message-tokens.ts'
import type { Plugin } from '../plugins/plugin.ts'

export interface CompactLogOptions extends RequestFrame {
  window: Window
  /** `manual` always compacts; `auto`, the default, compacts only what doesn't fit. */
  trigger?: Trigger
  policy?: Policy
  /** Without one, the summary is local: no model is called. */
  summarizer?: Summarizer
  focus?: string
  template?: Template
  signal?: AbortSignal
  count?: CountTokens
  /** Tokens of the model per counted token; by default what the log taught, or what is usual. */
  ratio?: number
  /** Milliseconds since 1970. */
  now?: number
  /** Where the session works; paths are shown relative to it. */
  directories?: readonly string[]
  plugins?: readonly Plugin[]
}

type FactsOf = (log: Chronological, options: FactsOptions) => Facts

export interface CompactedLog {
  /** What the model sees now. */
  messages: Message[]
  /** The old log plus the entries that the compaction added. */
  log: Chronological
  context: Context
  plan: Plan
  report: Report
  counter: Counter
  /** Errors of plugins that failed; the compaction went ahead without them. */
  pluginErrors: readonly PluginError[]
}

/** Everything that a plan for this log depends on, with facts that are read by `factsOf`. */
export function planInputWith(
  log: Chronological,
  options: CompactLogOptions,
  { factsOf, failed }: { factsOf: FactsOf; failed?: PluginFailed | undefined },
): PlanInput {
  checkWindow(options.window)
  const policy = withPlugins(
    policyFor(options.policy ?? defaultPolicy, options.model),
    options.plugins ?? [],
    failed && { failed },
  )
  const { count, model } = options
  const ratio = options.ratio ?? ratioOf(advanceCalibrations(emptyCalibrations(), log), model)
  let facts: Facts | undefined
  return {
    log,
    context: contextOf(log),
    facts: () =>
      (facts ??= factsOf(log, { lenses: policy.lenses, directories: options.directories })),
    frame: options,
    window: options.window,
    policy,
    counter: counterOf({ count, ratio }),
    trigger: options.trigger ?? 'auto',
  }
}

/**
 * Compacts a log once.
 * @throws InvalidWindowError if the window is invalid.
 * @throws ContextFloorError if even the smallest possible context doesn't fit the window.
 * @throws CompactionVetoedError if a plugin vetoes a compaction that is needed.
 */
export async function compactLog(
  log: Chronological,
  options: CompactLogOptions,
): Promise<CompactedLog> {
  return compactAs(log, options)
}

/** The same by a plan for another input than the usual one. */
export async function compactAs(
  log: Chronological,
  options: CompactLogOptions,
  change?: (input: PlanInput) => PlanInput,
): Promise<CompactedLog> {
  const { plugins = [] } = options
  const pluginErrors: PluginError[] = []
  const failures = pluginFailures((error) => pluginErrors.push(error))
  // What only a compaction needs, cue words and readers of shells above all, loads when one is due.
  let loaded = change && (await import('./carry-out.ts'))
  const factsOf: FactsOf = (...given) => {
    if (loaded) return loaded.factsOf(...given)
    throw new Error('Facts are asked for before anything is due.')
  }
  const usual = planInputWith(log, options, { factsOf, failed: failures.add })
  const input = change ? change(usual) : usual
  const circuitBreaker = advanceCircuitBreaker(closedCircuitBreaker(), log)
  const now = checkTime(options.now ?? log.at(-1)?.at ?? 0)
  const template = pluginTemplate(plugins, options.template, failures.add)
  const summarizer =
    options.summarizer && summarizerInTime(options.summarizer, input.policy.summaryTimeout)
  const compacting = { ...options, summarizer, now, circuitBreaker, template }
  options.signal?.throwIfAborted()
  const left = gate(input)
  let compaction: Compaction
  if ('action' in left) {
    const report = { ...reportBefore(left), reason: left.reason }
    compaction = { plan: left, drafts: [], report }
  } else {
    loaded ??= await import('./carry-out.ts')
    const hooks = { plugins, failed: failures.add, limit: input.policy.hookTimeout }
    compaction = await loaded.carryOut(input, compacting, hooks)
  }
  const { plan, drafts, report } = compaction
  const newest = log.at(-1)?.seq ?? 0
  const notes = drafts.length > 0 ? failures.take(now) : []
  const added = [...notes, ...drafts].map((draft, index): Entry => ({
    ...draft,
    seq: newest + index + 1,
  }))
  const grown = chronological([...log, ...added])
  const context = advanceContext(usual.context, grown)
  const messages = [...renderContext(context.items, summaryRoleOf(input.policy)).messages]
  return { messages, log: grown, context, plan, report, counter: input.counter, pluginErrors }
}
