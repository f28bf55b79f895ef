import { checkpointItems } from '../log/checkpoint-items.ts'
import { prunedItems } from '../log/context.ts'
import { ContextFloorError } from './errors.ts'
import { breakerIsOpen, type Learned } from './learned.ts'
import { liveRequest } from './summary/with-model/live-request.ts'
import { measureItems } from './measure/measure.ts'
import {
  planCompaction,
  type Plan,
  type PlanInput,
  type PlanToLeave,
  type PlanToSummarize,
} from './plan/plan.ts'
import { plannedUnits } from './plan/planned-units.ts'
import { planCut, type PlannedCut } from './cut/planned-cut.ts'
import { adopt, type DiscardReason, type Prepared } from './prepare/prepared.ts'
import { snapshot } from './plan/snapshot.ts'
import { summaryRoleOf } from './render/summary-block.ts'
import { summarizeWithModel, type ModelSummary } from './summary/with-model/summarize-with-model.ts'
import { chooseTemplate, type Template } from './summary/template.ts'
import { standingTexts } from './cut/texts-beside.ts'
import { summarizeLocally } from './summary/local/summarize-locally.ts'
import type { CheckpointDraft, EntryDraft, ObservationDraft } from '../log/entry.ts'
import { reportBefore, type Report, type Rung } from './report.ts'
import type { Summarizer } from './summary/with-model/summarizer.ts'

/** How a plan is carried out. */
export interface CompactOptions {
  /** Milliseconds since 1970: the core has no clock. */
  now: number
  learned: Learned
  /** Without one the local summarizer does it alone. */
  summarizer?: Summarizer | undefined
  /** What the summary should give most room to. */
  focus?: string | undefined
  template?: Template | undefined
  signal?: AbortSignal | undefined
  /** A summary that was made before: it comes first, if it is still good. */
  prepared?: Prepared | undefined
  /** Told what is about to be done, if anything is. */
  onPlan?: ((plan: Plan) => void) | undefined
}

/** A compaction that is ready to be committed: until it is appended nothing has changed. */
export interface Compaction {
  plan: Plan
  /** To be appended in one piece, if the log is still what the plan was made for. */
  drafts: EntryDraft[]
  report: Report
  /** What became of the prepared summary, where it came to that. */
  prepared?: 'used' | DiscardReason
}

interface Candidate {
  draft: CheckpointDraft
  after: number
  rung: Rung
}

/**
 * Plans a compaction and carries it out, rung by rung, until the next request comes down to
 * the low-water mark: prune, model summary, model summary of half the head, local summary,
 * shorter tail, clipped tail. It calls no model but the summarizer, and writes nothing.
 * @throws ContextFloorError if not even the least context fits.
 * @throws the signal's reason if it is aborted.
 */
export async function compact(input: PlanInput, options: CompactOptions): Promise<Compaction> {
  options.signal?.throwIfAborted()
  const { prepared } = options
  const adopted = prepared && adopt(prepared, input, options)
  if (typeof adopted === 'object') {
    options.onPlan?.(adopted.plan)
    return { ...adopted, prepared: 'used' }
  }
  const plan = planCompaction(input)
  if (plan.action === 'none') {
    return { plan, drafts: [], report: { ...reportBefore(plan), reason: plan.reason } }
  }
  options.onPlan?.(plan)
  const compaction = await climb(input, plan, options)
  return adopted ? { ...compaction, prepared: adopted } : compaction
}

/** The rungs, from the first on. */
async function climb(
  input: PlanInput,
  plan: Exclude<Plan, PlanToLeave>,
  options: CompactOptions,
): Promise<Compaction> {
  const report = reportBefore(plan)
  if (plan.action === 'prune') {
    const { replacements } = plan.pruning
    const base = input.context.seq
    const metadata = { time: { compacted: options.now } }
    const draft = { kind: 'prune', at: options.now, base, replacements, metadata } as const
    const after = sizeAfter(input, plan, prunedItems(input.context, draft, input.log))
    const done = {
      action: 'prune',
      rung: 'prune',
      after,
      fits: after < plan.budget.usable,
    } as const
    return { plan, drafts: [draft], report: { ...report, ...done } }
  }
  // Both sides of "smaller" are estimates: a provider's figure is no measure of ours.
  const estimated = sizeAfter(input, plan, input.context.items)
  return summarize(snapshot(input), plan, options, report, estimated)
}

async function summarize(
  input: PlanInput,
  plan: PlanToSummarize,
  options: CompactOptions,
  report: Report,
  estimateBefore: number,
): Promise<Compaction> {
  const template = chooseTemplate([options.template], input.policy.template)
  const model = await modelSummary(input, plan, options, template)
  let best: Candidate | undefined
  for (const candidate of candidates(input, plan, options, template, model)) {
    if (candidate.after < (best?.after ?? estimateBefore)) best = candidate
    if (candidate.after <= plan.budget.lowWater) break
  }
  const tried = { attempts: model?.attempts ?? [], ...(model?.spent && { spent: model.spent }) }
  if (best && (best.after < plan.budget.usable || plan.trigger === 'manual')) {
    const { draft, after, rung } = best
    return {
      plan,
      drafts: [...failureOf(model, options, 'in the checkpoint'), draft],
      report: {
        ...report,
        action: 'summary',
        rung,
        summarizer: draft.summarizer,
        after,
        fits: after < plan.budget.usable,
        ...tried,
      },
    }
  }
  if (plan.trigger !== 'manual' && estimateBefore >= plan.budget.usable) {
    throw new ContextFloorError({
      floor: { ...plan.floor, total: Math.max(plan.floor.total, best?.after ?? estimateBefore) },
      limit: plan.budget.usable,
      window: plan.budget.window,
      observations: failureOf(model, options, 'here'),
    })
  }
  return {
    plan,
    drafts: failureOf(model, options, 'here'),
    report: { ...report, reason: 'nothing-to-compact', ...tried },
  }
}

/** Asks the summarizer, if there is one and its failures have not kept it away. */
export async function modelSummary(
  input: PlanInput,
  plan: PlanToSummarize,
  options: CompactOptions,
  template: Template,
): Promise<ModelSummary | undefined> {
  const { summarizer } = options
  if (!summarizer || plan.cut.through === 0) return undefined
  if (breakerIsOpen(options.learned, input.policy.breaker)) return undefined
  return summarizeWithModel({
    summarizer,
    cut: plan.cut,
    units: plannedUnits(input.context, input.facts(), input.log),
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

/** The rungs below the model, each made only when the one before was not enough. */
function* candidates(
  input: PlanInput,
  plan: PlanToSummarize,
  options: CompactOptions,
  template: Template,
  model: ModelSummary | undefined,
): Generator<Candidate> {
  const { cut, budget } = plan
  if (model?.summary !== undefined) {
    yield candidate(cut, model.summary, model.summarizer, model.rung)
  }
  yield candidate(cut, locally(cut), 'local', 'local')
  const units = plannedUnits(input.context, input.facts(), input.log)
  const shorter = planCut(input, units, budget, Math.floor(budget.tail / 2))
  yield candidate(shorter, locally(shorter), 'local', 'shorter-tail')
  const clipped = planCut(input, units, budget, 0)
  yield candidate(clipped, locally(clipped), 'local', 'clipped-tail')

  function locally(cut: PlannedCut): string {
    return summarizeLocally({
      facts: input.facts(),
      budget: cut.summaryBudget,
      count: input.counter.text,
      template,
      standing: standingTexts(cut, input.log),
      ...(options.focus !== undefined && { focus: options.focus }),
      previous: cut.previous,
    })
  }

  function candidate(cut: PlannedCut, summary: string, summarizer: string, rung: Rung): Candidate {
    const draft: CheckpointDraft = {
      kind: 'checkpoint',
      at: options.now,
      base: input.context.seq,
      summary,
      summarizer,
      tail: cut.tail,
      continuation: cut.continuation,
      metadata: {
        trigger: plan.trigger,
        rung,
        tokensBefore: plan.measurement.tokens,
        ...(model?.spent && { spent: model.spent }),
      },
    }
    const items = checkpointItems(input.context, { ...draft, seq: draft.base + 1 }, input.log)
    return { draft, rung, after: sizeAfter(input, plan, items) }
  }
}

function sizeAfter(
  { counter, policy }: PlanInput,
  { measurement }: Plan,
  items: Parameters<typeof measureItems>[0],
): number {
  return (
    measurement.system + measurement.tools + measureItems(items, counter, summaryRoleOf(policy))
  )
}

/** What failed, for the breaker; what it took is told once, in the checkpoint if there is one. */
function failureOf(
  model: ModelSummary | undefined,
  { now }: CompactOptions,
  spentStands: 'here' | 'in the checkpoint',
): ObservationDraft[] {
  if (!model?.attempts.length || model.summary !== undefined) return []
  const { summarizer, spent } = model
  const problems = model.attempts.flatMap((attempt) => attempt.problems)
  const told = spentStands === 'here' && spent && { spent }
  return [
    {
      kind: 'observation',
      at: now,
      observation: { type: 'failure', summarizer, problems, ...told },
    },
  ]
}
