import { prunedItems, checkpointItems } from '../log/context/items-of.ts'
import { askModel, failureOf, whoIsAsked } from './ask-model.ts'
import { askProvider, type ProviderTried } from './provider/ask-provider.ts'
import { ContextFloorError } from './errors.ts'
import { sizeAfter } from './measure/unit-tokens.ts'
import { beginPlan, planFrom, summarizedAway } from './plan/plan.ts'
import { snapshot } from './plan/snapshot.ts'
import { adopt } from './prepare/prepared.ts'
import { reportBefore } from './report.ts'
import { parseSections, sectionBody } from '../facts/sections.ts'
import { chooseTemplate } from './summary/template.ts'
import { together } from './summary/with-model/circuit-breaker.ts'
import { minus, most, modelTokens, plus, share, toEstimated, toModel } from '../tokens/units.ts'
import { giveBack } from './cut/give-back.ts'
import { planCut } from './cut/planned-cut.ts'
import { textsBeside } from './cut/texts-beside.ts'
import { widerCut } from './cut/wider-cut.ts'
import { plannedUnits } from './plan/planned-units.ts'
import { readingOf } from './summary/local/request.ts'
import { summarySteps } from './summary/local/summarize-locally.ts'
import type { BegunPlan, Plan, PlanInput, PlanToPrune, PlanToSummarize } from './plan/plan.ts'
import type { Rung } from './report.ts'
import type { Template } from './summary/template.ts'
import type { Unit } from '../log/steps.ts'
import type { ModelTokens } from '../tokens/units.ts'
import type { CompactOptions, Compaction } from './compaction.ts'
import type { PlannedCut } from './cut/planned-cut.ts'
import type { CheckpointDraft, ProviderBlock } from '../log/entry.ts'
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
  const plan = 'action' in begun ? begun : await planned(begun, input, options)
  if (plan.action === 'none') {
    return { plan, drafts: [], report: { ...reportBefore(plan), reason: plan.reason } }
  }
  options.onPlan?.(plan)
  await options.pause?.()
  if (plan.action === 'prune') {
    const pruned = prune(input, plan, options)
    return adopted ? { ...pruned, prepared: adopted } : pruned
  }
  const now = snapshot(input)
  const isAsPlanned = 'units' in begun && now.context.seq === divided
  const units = isAsPlanned ? begun.units : plannedUnits(now.context, now.facts(), now.log)
  const compaction = await summarize(now, { plan, units }, options, estimateOf(input, plan))
  return adopted ? { ...compaction, prepared: adopted } : compaction
}

/** Whether the summary that stands is not of the kind that is asked for. */
function isAskedAnew({ context, policy }: PlanInput, { focus, template }: CompactOptions): boolean {
  if (focus !== undefined) return true
  const parsed = parseSections(context.checkpoint?.summary ?? '')
  const { sections } = chooseTemplate([template], policy.template)
  return sections.some(({ heading }) => sectionBody(parsed, heading) === undefined)
}

/** Other work comes between the two halves of a plan: each takes long where a session does. */
async function planned(
  begun: BegunPlan,
  input: PlanInput,
  { pause }: CompactOptions,
): Promise<Plan> {
  const asBegun = snapshot(input)
  await pause?.()
  return planFrom(begun, asBegun)
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
  { plan, units }: { plan: PlanToSummarize; units: readonly Unit[] },
  options: CompactOptions,
  estimateBefore: ModelTokens,
): Promise<Compaction> {
  const { usable, window } = plan.budget
  const template = chooseTemplate([options.template], input.policy.template)
  const { model, provider } = await ask(input, { plan, units }, options, template)
  const rungs = { input, plan, units, options, template, model, provider }
  const best = await climb(rungs, estimateBefore)
  const spent = together(provider?.spent, model?.spent)
  const attempts = [...(provider ? [provider.attempt] : []), ...(model?.attempts ?? [])]
  const tried = { attempts, ...(spent && { spent }) }
  const report = { ...reportBefore(plan), ...tried }
  if (best && (best.after < usable || plan.trigger === 'manual')) {
    const { draft, after, rung } = best
    const summarizer = draft.block?.by ?? draft.summarizer
    const fits = after < usable
    // Where the plan's own cut was made, it has said this already.
    const isPlanned = draft.tail === plan.cut.tail && draft.continuation === plan.cut.continuation
    const dropped = isPlanned ? plan.dropped : summarizedAway(input, draft)
    return {
      plan: rung.endsWith('-tail') ? plan : { ...plan, cut: best.cut, dropped },
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

/** What a rung would commit, and what the next request would then hold. */
interface Candidate {
  cut: PlannedCut
  draft: CheckpointDraft
  after: ModelTokens
  rung: Rung
}

/** What the rungs work on. */
interface RungsInput {
  input: PlanInput
  plan: PlanToSummarize
  units: readonly Unit[]
  options: CompactOptions
  template: Template
  /** What a model wrote; the first rung, if it wrote anything that can be used. */
  model: ModelSummary | undefined
  /** What its provider made; our own summary stands beside it. */
  provider: ProviderTried | undefined
}

/**
 * The first rung that reaches the low-water mark, or else the smallest; `undefined` where none is
 * smaller than the context is now.
 */
async function climb(
  rungs: RungsInput,
  estimateBefore: ModelTokens,
): Promise<Candidate | undefined> {
  const { budget } = rungs.plan
  // Where a summary stands and nothing presses, a tail that gets shorter is lost for nothing.
  const isSettled = rungs.input.context.checkpoint && estimateBefore <= budget.lowWater
  let best: Candidate | undefined
  for (const candidate of candidates(rungs)) {
    await rungs.options.pause?.()
    if (candidate === undefined) continue
    if (isSettled && candidate.rung.endsWith('-tail')) break
    if (candidate.after < (best?.after ?? estimateBefore)) best = candidate
    if (best === candidate && candidate.after <= budget.lowWater) break
  }
  return best
}

/** What the same facts may take more beside a longer tail, mostly for longer refs. */
const mostBeside = modelTokens(32)

/**
 * The model's summary and the rungs below it, each made only when the one before was not enough;
 * `undefined` in the midst of it, where others may have their turn.
 */
function* candidates({
  input,
  plan,
  units,
  options,
  template,
  model,
  provider,
}: RungsInput): Generator<Candidate | undefined> {
  const { cut, budget } = plan
  const { counter } = input
  if (model?.summary !== undefined) {
    const { summary, summarizer, rung } = model
    const asCut = candidate(cut, summary, summarizer, rung)
    const fuller = refilled(asCut)
    if (fuller) yield candidate(fuller, summary, summarizer, rung)
    yield asCut
  }
  const reading = readingOf(input.facts(), options.focus)
  const told = yield* locally(cut)
  if (provider?.block) yield candidate(cut, told, 'local', 'provider', provider.block)
  yield* besideMore(told)
  yield candidate(cut, told, 'local', 'local')
  const shorter = planCut(input, units, budget, share(budget.tail, 0.5))
  yield candidate(shorter, yield* locally(shorter), 'local', 'shorter-tail')
  const clipped = planCut(input, units, budget, modelTokens(0))
  yield candidate(clipped, yield* locally(clipped), 'local', 'clipped-tail')

  /** With what was clipped given back where the summary leaves room. */
  function refilled({ cut, after }: Candidate): PlannedCut | undefined {
    const { system, tools } = plan.measurement
    const room = minus(plus(budget.keep, system, tools), after)
    const fuller = giveBack(cut, { units, room, counter, policy: input.policy })
    return fuller === cut ? undefined : fuller
  }

  /** What the facts tell in the room that they had: a longer tail takes only what they left of it. */
  function* besideMore(alone: string): Generator<Candidate | undefined> {
    let taken = plus(toModel(counter.text(alone), counter.ratio), mostBeside)
    for (let attempt = 0; attempt < 2; attempt++) {
      const left = minus(cut.summaryBudget, taken)
      const wider = yield* widerCut(cut, left, { input, units, budget })
      if (!wider) return
      const told = yield* locally(wider, cut.summaryBudget)
      const over = minus(toModel(counter.text(told), counter.ratio), wider.summaryBudget)
      if (over <= 0) return yield candidate(wider, told, 'local', 'local')
      taken = plus(taken, over)
    }
  }

  function* locally(cut: PlannedCut, room = cut.summaryBudget): Generator<undefined, string> {
    return yield* summarySteps({
      facts: input.facts(),
      reading,
      budget: toEstimated(room, counter.ratio),
      standing: toEstimated(cut.standing, counter.ratio),
      count: counter.text,
      template,
      beside: textsBeside(cut, input.log),
      previous: cut.previous,
    })
  }

  function candidate(
    cut: PlannedCut,
    summary: string,
    summarizer: string,
    rung: Rung,
    block?: ProviderBlock,
  ): Candidate {
    const spent = together(provider?.spent, model?.spent)
    const draft: CheckpointDraft = {
      kind: 'checkpoint',
      at: options.now,
      base: input.context.seq,
      summary,
      summarizer,
      tail: cut.tail,
      continuation: cut.continuation,
      ...(block && { block }),
      metadata: {
        trigger: plan.trigger,
        rung,
        tokensBefore: plan.measurement.tokens,
        ...(spent && { spent }),
      },
    }
    const items = checkpointItems(input.context, { ...draft, seq: draft.base + 1 }, input.log)
    return { cut, draft, rung, after: sizeAfter(input, plan.measurement, items) }
  }
}
