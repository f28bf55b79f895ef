import { askModel, failureOf, whoIsAsked } from './ask-model.ts'
import { askProvider, type ProviderTried } from './provider/ask-provider.ts'
import { ContextFloorError } from './errors.ts'
import { countAhead } from './measure/measure.ts'
import { sizeAfter } from './measure/unit-tokens.ts'
import { withPruning } from './plan/with-pruning.ts'
import { summaryRoleOf } from './render/summary-block.ts'
import { beginPlan, planSteps, summarizedAway } from './plan/plan-compaction.ts'
import { snapshot } from './plan/snapshot.ts'
import { adopt } from './prepare/prepared.ts'
import { reportBefore } from './report.ts'
import { parseSections, sectionBody } from '../facts/sections.ts'
import { chooseTemplate, type Template } from './summary/template.ts'
import { together } from './summary/with-model/circuit-breaker.ts'
import { most, type ModelTokens } from '../tokens/units.ts'
import { climb } from './rungs.ts'
import { plannedUnits } from './plan/planned-units.ts'
import { readingOf } from '../facts/summary/reading.ts'
import type { PlanInput, PlanToPrune, PlanToSummarize } from './plan/plan.ts'
import type { Unit } from '../log/steps.ts'
import type { CompactOptions, Compaction } from './compaction.ts'
import type { ModelSummary } from './summary/with-model/summarize-with-model.ts'

/**
 * Plans a compaction and carries it out, rung by rung, until the next request is at or below the
 * low-water mark: prune, model summary, model summary of half the head, local summary, shorter
 * tail, clipped tail. It calls no model except through the summarizer, and writes nothing.
 *
 * `planCompaction` measures, decides, prunes and cuts; `askModel` summarizes and checks; the
 * resulting draft holds the continuation, and the caller commits it.
 * @throws ContextFloorError if even the smallest possible context doesn't fit.
 * @throws the signal's reason if it is aborted.
 */
export async function compact(given: PlanInput, options: CompactOptions): Promise<Compaction> {
  options.signal?.throwIfAborted()
  const input = {
    ...given,
    summarizer: whoIsAsked(options, given.policy),
    anew: isAskedAnew(given, options),
  }
  const adopted = options.prepared && adopt(options.prepared, input, options)
  if (typeof adopted === 'object') {
    options.onPlan?.(adopted.plan)
    return { ...adopted, prepared: 'used' }
  }
  const begun = beginPlan(input)
  const divided = input.context.seq
  // Other work comes between the steps of a plan, which takes long where a session does.
  const asBegun = 'action' in begun ? input : snapshot(input)
  const plan = 'action' in begun ? begun : await inTurn(planSteps(begun, asBegun), options.pause)
  if (plan.action === 'none') {
    return { plan, drafts: [], report: { ...reportBefore(plan), reason: plan.reason } }
  }
  options.onPlan?.(plan)
  await options.pause?.()
  if (plan.action === 'prune') {
    const pruned = await prune(asBegun, plan, options)
    return adopted ? { ...pruned, prepared: adopted } : pruned
  }
  const now = snapshot(input)
  const isAsPlanned = 'units' in begun && now.context.seq === divided
  const units = isAsPlanned ? begun.units : plannedUnits(now.context, now.facts(), now.log)
  const compaction = await summarize(now, { plan, units }, options, estimateOf(input, plan))
  return adopted ? { ...compaction, prepared: adopted } : compaction
}

/** Whether the current summary is not of the requested kind. */
function isAskedAnew({ context, policy }: PlanInput, { focus, template }: CompactOptions): boolean {
  if (focus !== undefined) return true
  const parsed = parseSections(context.checkpoint?.summary ?? '')
  const { sections } = chooseTemplate([template], policy.template)
  return sections.some(({ heading }) => sectionBody(parsed, heading) === undefined)
}

async function inTurn<Result>(
  steps: Generator<undefined, Result>,
  pause: CompactOptions['pause'],
): Promise<Result> {
  for (;;) {
    await pause?.()
    const step = steps.next()
    if (step.done) return step.value
  }
}

/**
 * Sizes before and after are both estimates, because a provider's figure can't be compared with
 * ours.
 */
function estimateOf(input: PlanInput, { measurement }: PlanToSummarize): ModelTokens {
  return sizeAfter(input, measurement, input.context.items)
}

async function prune(
  input: PlanInput,
  plan: PlanToPrune,
  { now, pause }: CompactOptions,
): Promise<Compaction> {
  const { replacements } = plan.pruning
  const metadata = { time: { compacted: now } }
  const base = input.context.seq
  const draft = { kind: 'prune', at: now, base, replacements, metadata } as const
  const items = await inTurn(withPruning(input, plan.pruning), pause)
  await inTurn(countAhead(items, input.counter, summaryRoleOf(input.policy)), pause)
  const after = sizeAfter(input, plan.measurement, items)
  const fits = after < plan.budget.usable
  const report = {
    ...reportBefore(plan),
    action: 'prune',
    rung: plan.how,
    after,
    fits,
    dropped: plan.dropped,
  } as const
  return { plan, drafts: [draft], report }
}

async function summarize(
  input: PlanInput,
  { plan, units }: { plan: PlanToSummarize; units: readonly Unit[] },
  options: CompactOptions,
  before: ModelTokens,
): Promise<Compaction> {
  const { usable, window } = plan.budget
  const template = chooseTemplate([options.template], input.policy.template)
  const { model, provider } = await ask(input, { plan, units }, options, template)
  const reading = readingOf(input.facts(), options.focus)
  const best = await climb({
    input,
    plan,
    units,
    options,
    template,
    reading,
    model,
    provider,
    before,
  })
  const spent = together(provider?.spent, model?.spent)
  const attempts = [...(provider ? [provider.attempt] : []), ...(model?.attempts ?? [])]
  const report = { ...reportBefore(plan), attempts, ...(spent && { spent }) }
  if (best && (best.after < usable || plan.trigger === 'manual')) {
    const { cut, draft, after, rung } = best
    const summarizer = draft.block?.by ?? draft.summarizer
    const fits = after < usable
    const dropped = cut === plan.cut ? plan.dropped : summarizedAway(input, draft)
    return {
      plan: rung.endsWith('-tail') ? plan : { ...plan, cut, dropped },
      drafts: [...failureOf(model, options, 'in the checkpoint'), draft],
      report: { ...report, action: 'summary', rung, summarizer, after, fits, dropped },
    }
  }
  const observations = failureOf(model, options, 'here')
  if (plan.trigger !== 'manual' && before >= usable) {
    const total = most(plan.floor.total, best?.after ?? before)
    const floor = { ...plan.floor, total }
    throw new ContextFloorError({ floor, limit: usable, window, observations })
  }
  return { plan, drafts: observations, report: { ...report, reason: 'nothing-to-compact' } }
}

/** Asks the provider and a model in the policy's order, the second only where the first failed. */
async function ask(
  input: PlanInput,
  { plan, units }: { plan: PlanToSummarize; units: readonly Unit[] },
  options: CompactOptions,
  template: Template,
): Promise<{ model: ModelSummary | undefined; provider: ProviderTried | undefined }> {
  const { compactor } = options
  const when = compactor ? input.policy.providerCompaction : 'never'
  const asked = () => compactor && askProvider(input, plan, { ...options, compactor })
  const before = when === 'before' ? await asked() : undefined
  if (before?.block) return { model: undefined, provider: before }
  const model = await askModel(input, { plan, units }, options, template)
  if (when !== 'behind' || model?.summary !== undefined) return { model, provider: before }
  return { model, provider: await asked() }
}
