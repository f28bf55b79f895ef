import { prunedItems } from '../log/items-of.ts'
import { askModel, failureOf } from './ask-model.ts'
import { ContextFloorError } from './errors.ts'
import { sizeAfter } from './measure/size-after.ts'
import {
  planCompaction,
  summarizedAway,
  type PlanInput,
  type PlanToPrune,
  type PlanToSummarize,
} from './plan/plan.ts'
import { snapshot } from './plan/snapshot.ts'
import { adopt } from './prepare/prepared.ts'
import { reportBefore } from './report.ts'
import { climb } from './rungs.ts'
import { chooseTemplate } from './summary/template.ts'
import { most, type ModelTokens } from '../tokens/units.ts'
import type { CompactOptions, Compaction } from './compaction.ts'

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
export async function compact(input: PlanInput, options: CompactOptions): Promise<Compaction> {
  options.signal?.throwIfAborted()
  const adopted = options.prepared && adopt(options.prepared, input, options)
  if (typeof adopted === 'object') {
    options.onPlan?.(adopted.plan)
    return { ...adopted, prepared: 'used' }
  }
  const plan = planCompaction(input)
  if (plan.action === 'none') {
    return { plan, drafts: [], report: { ...reportBefore(plan), reason: plan.reason } }
  }
  options.onPlan?.(plan)
  const compaction =
    plan.action === 'prune'
      ? prune(input, plan, options)
      : await summarize(snapshot(input), plan, options, estimateOf(input, plan))
  return adopted ? { ...compaction, prepared: adopted } : compaction
}

/**
 * Sizes before and after are both estimates, because a provider's figure can't be compared with
 * ours.
 */
function estimateOf(input: PlanInput, { measurement }: PlanToSummarize): ModelTokens {
  return sizeAfter(input, measurement, input.context.items)
}

function prune(input: PlanInput, plan: PlanToPrune, { now }: CompactOptions): Compaction {
  const { replacements } = plan.pruning
  const metadata = { time: { compacted: now } }
  const base = input.context.seq
  const draft = { kind: 'prune', at: now, base, replacements, metadata } as const
  const after = sizeAfter(input, plan.measurement, prunedItems(input.context, draft, input.log))
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
  plan: PlanToSummarize,
  options: CompactOptions,
  estimateBefore: ModelTokens,
): Promise<Compaction> {
  const { usable, window } = plan.budget
  const template = chooseTemplate([options.template], input.policy.template)
  const model = await askModel(input, plan, options, template)
  const best = climb({ input, plan, options, template, model }, estimateBefore)
  const tried = { attempts: model?.attempts ?? [], ...(model?.spent && { spent: model.spent }) }
  const report = { ...reportBefore(plan), ...tried }
  if (best && (best.after < usable || plan.trigger === 'manual')) {
    const { draft, after, rung } = best
    const { summarizer } = draft
    const fits = after < usable
    const dropped = summarizedAway(input, draft)
    return {
      plan,
      drafts: [...failureOf(model, options, 'in the checkpoint'), draft],
      report: { ...report, action: 'summary', rung, summarizer, after, fits, dropped },
    }
  }
  const observations = failureOf(model, options, 'here')
  if (plan.trigger !== 'manual' && estimateBefore >= usable) {
    const total = most(plan.floor.total, best?.after ?? estimateBefore)
    const floor = { ...plan.floor, total }
    throw new ContextFloorError({ floor, limit: usable, window, observations })
  }
  return { plan, drafts: observations, report: { ...report, reason: 'nothing-to-compact' } }
}
