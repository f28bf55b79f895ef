import { checkpointItems } from '../../log/items-of.ts'
import { abortable } from '../abortable.ts'
import { sizeAfter } from '../measure/size-after.ts'
import { chooseTemplate } from '../summary/template.ts'
import type { CheckpointDraft } from '../../log/entry.ts'
import { inModelTokens } from '../../tokens/counter.ts'
import { most, type ModelTokens } from '../../tokens/units.ts'
import type { Compaction, CompactOptions } from '../compaction.ts'
import type { CompactionHooks } from './hooks.ts'
import type { PlanInput } from '../plan/plan.ts'
import { summaryProblems } from '../summary/check.ts'
import { repairSummary, type RepairInput } from '../summary/repair.ts'

/**
 * A compaction whose summary a hook has changed, checked and repaired again. A changed summary that
 * is unusable or makes the next request too large is rejected, and the original summary stays.
 */
export async function changedCompaction(
  input: PlanInput,
  compaction: Compaction,
  { template: asked, signal }: CompactOptions,
  { after, refused }: CompactionHooks,
): Promise<Compaction> {
  const { plan, drafts, report } = compaction
  const draft = drafts.find((each) => each.kind === 'checkpoint')
  if (!after || !draft || plan.action === 'none') return compaction
  const template = chooseTemplate([asked], input.policy.template)
  const { summary, summarizer } = draft
  // A prepared summary may replace a pruning.
  const count = inModelTokens(input.counter)
  const own = count(summary)
  const budget = plan.action === 'summarize' ? most(plan.cut.summaryBudget, own) : own
  const facts = input.facts()
  const answer = await abortable(
    after({ summary, summarizer, template, budget, plan, facts, signal }),
    signal,
  )
  if (!answer || answer.summary === summary) return compaction
  const { by } = answer
  const record = { facts, template, budget, count, log: input.log }
  const checked = checkedSummary(answer.summary, { ...record, vouched: summary })
  if ('problems' in checked) {
    refused({ by, hook: 'after', problems: checked.problems })
    return compaction
  }
  const metadata = { ...draft.metadata, changedBy: by }
  const changed = { ...draft, summary: checked.summary, metadata }
  const tokens = sizeWith(changed, input, compaction)
  if (tokens > plan.budget.lowWater && tokens > report.after) {
    refused({ by, hook: 'after', problems: [`the next request would have ${tokens} tokens`] })
    return compaction
  }
  return {
    ...compaction,
    drafts: drafts.map((each) => (each === draft ? changed : each)),
    report: { ...report, after: tokens, fits: tokens < plan.budget.usable },
  }
}

function sizeWith(draft: CheckpointDraft, input: PlanInput, { plan }: Compaction): ModelTokens {
  const items = checkpointItems(input.context, { ...draft, seq: draft.base + 1 }, input.log)
  return sizeAfter(input, plan.measurement, items)
}

/** A summary made fit to replace history, or the reasons why it isn't. */
type CheckedSummary = { summary: string } | { problems: string[] }

/** Checks a text and repairs it from the log's facts. */
function checkedSummary<T extends number>(text: string, input: RepairInput<T>): CheckedSummary {
  const problems = summaryProblems({ text, finish: 'stop' }, input)
  if (problems.length > 0) return { problems }
  const summary = repairSummary(text.trim(), input)
  if (summary !== undefined) return { summary }
  return { problems: ['the required additions from the log did not fit'] }
}
