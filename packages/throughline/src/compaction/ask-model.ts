import { renderContext } from './render/render.ts'
import { summaryRoleOf } from './render/summary-block.ts'
import { circuitBreakerIsOpen } from './summary/with-model/circuit-breaker.ts'
import { summarizeWithModel, type ModelSummary } from './summary/with-model/summarize-with-model.ts'
import { modelTokens } from '../tokens/units.ts'
import type { Context } from '../log/context/context.ts'
import type { ObservationDraft } from '../log/entry.ts'
import type { CompactOptions } from './compaction.ts'
import type { Plan, PlanInput, PlanToSummarize } from './plan/plan.ts'
import type { Policy } from './policy.ts'
import type { LiveRequest, PricedSummarizer } from './summary/with-model/summarizer.ts'
import type { Template } from './summary/template.ts'
import type { Unit } from '../log/steps.ts'

/**
 * Who would be asked for a summary now, for a plan that weighs its price; `undefined` where code
 * writes it. A provider that compacts by itself reads what it has cached.
 */
export function whoIsAsked(
  {
    summarizer,
    compactor,
    circuitBreaker,
  }: Pick<CompactOptions, 'summarizer' | 'compactor' | 'circuitBreaker'>,
  { providerCompaction, breaker }: Policy,
): PricedSummarizer | undefined {
  if (compactor && providerCompaction === 'before') return { readsLive: true }
  return circuitBreakerIsOpen(circuitBreaker, breaker) ? undefined : summarizer
}

/** Asks the summarizer, if there is one and the breaker is closed. */
export async function askModel(
  input: PlanInput,
  { plan, units }: { plan: PlanToSummarize; units: readonly Unit[] },
  options: CompactOptions,
  template: Template,
): Promise<ModelSummary | undefined> {
  const { summarizer } = options
  if (!summarizer || plan.cut.through === 0) return undefined
  if (circuitBreakerIsOpen(options.circuitBreaker, input.policy.breaker)) return undefined
  return summarizeWithModel({
    summarizer,
    cut: plan.cut,
    units,
    template,
    focus: options.focus,
    signal: options.signal,
    facts: input.facts(),
    policy: input.policy,
    counter: input.counter,
    log: input.log,
    live: liveRequest(input, plan, options.now),
  })
}

/** The next request as it would be without the planned compaction. */
function liveRequest(input: PlanInput, { measurement }: Plan, now: number): LiveRequest {
  const { context, frame, policy, window } = input
  return {
    system: frame.system,
    messages: renderContext(context.items, summaryRoleOf(policy)).messages,
    model: frame.model,
    window,
    tokens: measurement.tokens,
    now,
    cached: cachedOf(context),
  }
}

function cachedOf({ measured }: Context): LiveRequest['cached'] {
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = measured?.usage ?? {}
  const tokens = modelTokens(cacheReadTokens + cacheWriteTokens)
  return measured && tokens > 0 ? { tokens, at: measured.at } : undefined
}

/**
 * What failed, for the circuit breaker. Its cost is reported once, in the checkpoint if there is
 * one.
 */
export function failureOf(
  model: ModelSummary | undefined,
  { now }: CompactOptions,
  spendingTold: 'here' | 'in the checkpoint',
): ObservationDraft[] {
  if (!model?.attempts.length || model.summary !== undefined) return []
  const { summarizer, spent } = model
  const problems = model.attempts.flatMap((attempt) => attempt.problems)
  const told = spendingTold === 'here' && spent && { spent }
  return [
    {
      kind: 'observation',
      at: now,
      observation: { type: 'failure', summarizer, problems, ...told },
    },
  ]
}
