import { checkpointItems } from '../log/items-of.ts'
import { planCut, type PlannedCut } from './cut/planned-cut.ts'
import { textsBeside } from './cut/texts-beside.ts'
import { sizeAfter } from './measure/size-after.ts'
import { plannedUnits } from './plan/planned-units.ts'
import { summarizeLocally } from './summary/local/summarize-locally.ts'
import { modelTokens, share, toEstimated, type ModelTokens } from '../tokens/units.ts'
import type { CheckpointDraft } from '../log/entry.ts'
import type { CompactOptions } from './compaction.ts'
import type { PlanInput, PlanToSummarize } from './plan/plan.ts'
import type { Rung } from './report.ts'
import type { Template } from './summary/template.ts'
import type { ModelSummary } from './summary/with-model/summarize-with-model.ts'

/** What a rung would commit, and what the next request would then hold. */
export interface Candidate {
  draft: CheckpointDraft
  after: ModelTokens
  rung: Rung
}

/** What the rungs work on. */
interface RungsInput {
  input: PlanInput
  plan: PlanToSummarize
  options: CompactOptions
  template: Template
  /** What a model wrote; the first rung, if it wrote anything that can be used. */
  model: ModelSummary | undefined
}

/**
 * The first rung that reaches the low-water mark, or else the smallest; `undefined` where none is
 * smaller than the context is now.
 */
export function climb(rungs: RungsInput, estimateBefore: ModelTokens): Candidate | undefined {
  let best: Candidate | undefined
  for (const candidate of candidates(rungs)) {
    if (candidate.after < (best?.after ?? estimateBefore)) best = candidate
    if (candidate.after <= rungs.plan.budget.lowWater) break
  }
  return best
}

/** The model's summary and the rungs below it, each made only when the one before was not enough. */
function* candidates({ input, plan, options, template, model }: RungsInput): Generator<Candidate> {
  const { cut, budget } = plan
  if (model?.summary !== undefined) {
    yield candidate(cut, model.summary, model.summarizer, model.rung)
  }
  yield candidate(cut, locally(cut), 'local', 'local')
  const units = plannedUnits(input.context, input.facts(), input.log)
  const shorter = planCut(input, units, budget, share(budget.tail, 0.5))
  yield candidate(shorter, locally(shorter), 'local', 'shorter-tail')
  const clipped = planCut(input, units, budget, modelTokens(0))
  yield candidate(clipped, locally(clipped), 'local', 'clipped-tail')

  function locally(cut: PlannedCut): string {
    const { counter } = input
    return summarizeLocally({
      facts: input.facts(),
      budget: toEstimated(cut.summaryBudget, counter.ratio),
      count: counter.text,
      template,
      beside: textsBeside(cut, input.log),
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
    return { draft, rung, after: sizeAfter(input, plan.measurement, items) }
  }
}
