import { nothingDropped } from '../plan/dropped.ts'
import { whoIsAsked } from '../ask-model.ts'
import { abortable } from '../abortable.ts'
import { compact } from '../compact.ts'
import { CompactionVetoedError } from '../errors.ts'
import { closedCircuitBreaker } from '../summary/with-model/circuit-breaker.ts'
import { planCompaction } from '../plan/plan-compaction.ts'
import { renderContext } from '../render/render.ts'
import { snapshot } from '../plan/snapshot.ts'
import { summaryRoleOf } from '../render/summary-block.ts'
import { textsBeside } from '../cut/texts-beside.ts'
import { parseRef } from '../../log/ref.ts'
import { partsNamed } from '../clip/parts.ts'
import { checkpointItems } from '../../log/context/items-of.ts'
import { sizeAfter } from '../measure/unit-tokens.ts'
import { chooseTemplate } from '../summary/template.ts'
import { inModelTokens } from '../../tokens/counter.ts'
import { most, type ModelTokens } from '../../tokens/units.ts'
import { summaryProblems } from '../summary/check.ts'
import { repairSummary, type RepairInput } from '../summary/repair.ts'
import type { Plan, PlanInput } from '../plan/plan.ts'
import type { Compaction, CompactOptions } from '../compaction.ts'
import type { BeforeCompaction, CompactionHooks, Decision } from './hooks.ts'
import type { Ref, Seq, CheckpointDraft } from '../../log/entry.ts'
import type { Policy } from '../policy.ts'

/**
 * {@link compact} with hooks, which are asked before anything is done and before a summary is
 * committed. Their wishes are followed as far as the promises allow: a summary that they supply is
 * checked like a summarizer's answer, and vetoing a compaction that is needed is an error.
 * @throws ContextFloorError if even the smallest possible context doesn't fit.
 * @throws CompactionVetoedError if it is vetoed and the next request does not fit without it.
 * @throws the signal's reason if it is aborted.
 */
export async function compactWithHooks(
  input: PlanInput,
  options: CompactOptions,
  hooks: CompactionHooks,
): Promise<Compaction> {
  if (!hooks.before && !hooks.after) return compact(input, options)
  options.signal?.throwIfAborted()
  const plan = planCompaction({ ...input, summarizer: whoIsAsked(options, input.policy) })
  if (plan.action === 'none') return compact(input, options)
  // Answers take their time: messages that arrive meanwhile are not part of the plan.
  const frozen = snapshot(input)
  const { items } = frozen.context
  const request: BeforeCompaction = {
    plan,
    messages: [...renderContext(items, summaryRoleOf(input.policy)).messages],
    log: frozen.log,
    facts: frozen.facts(),
    signal: options.signal,
  }
  const decision = hooks.before && (await abortable(hooks.before(request), options.signal))
  if (decision?.veto !== undefined) return vetoed(input, plan, decision.by, decision.veto)
  const compaction = await decided(frozen, options, decision, hooks)
  return changedCompaction(frozen, compaction, options, hooks)
}

/** If the next request fits anyway, a veto only postpones the compaction. */
function vetoed(
  { trigger }: PlanInput,
  { measurement, budget }: Plan,
  plugin: string,
  reason: string,
): Compaction {
  const { tokens } = measurement
  if (trigger !== 'auto' || tokens >= budget.usable) {
    throw new CompactionVetoedError({ plugin, reason, tokens, limit: budget.usable })
  }
  return {
    plan: { trigger, measurement, budget, action: 'none', reason: 'fits' },
    drafts: [],
    report: {
      action: 'none',
      trigger,
      reason: 'fits',
      before: tokens,
      after: tokens,
      fits: true,
      dropped: nothingDropped,
      attempts: [],
    },
  }
}

async function decided(
  input: PlanInput,
  options: CompactOptions,
  decision: Decision | undefined,
  { refused }: CompactionHooks,
): Promise<Compaction> {
  const { keep, summary: text, by = '' } = decision ?? {}
  const policy = keep ? policyToKeep(input.policy, keep) : input.policy
  const wanted = { ...input, policy }
  // A prepared summary doesn't know about the wish to keep something.
  const asked = keep ? { ...options, prepared: undefined } : options
  if (text === undefined) return compact(wanted, asked)
  const supplied = await compact(
    { ...wanted, policy: { ...policy, attempts: 1 } },
    {
      ...options,
      prepared: undefined,
      // A summarizer's failures don't count if there already is a summary.
      circuitBreaker: closedCircuitBreaker(),
      summarizer: {
        name: by,
        summarize: async () => ({ text, finish: 'stop', calls: [] }),
      },
    },
  )
  const problems = supplied.report.attempts.flatMap((attempt) => attempt.problems)
  if (problems.length === 0) return supplied
  refused({ by, hook: 'before', problems })
  // The plan has already been announced.
  return compact(wanted, { ...asked, onPlan: undefined })
}

/** The policy for one compaction that should leave these entries and parts unchanged. */
function policyToKeep(policy: Policy, keep: readonly Ref[]): Policy {
  const seqs = new Set(keep.map((each): Seq => parseRef(each)?.seq ?? 0))
  return {
    ...policy,
    prune: (input) => {
      const kept = partsNamed(input.units, new Set(keep))
      return policy.prune({ ...input, pinned: new Set([...input.pinned, ...kept]) })
    },
    cut: (input) => policy.cut({ ...input, wanted: new Set([...(input.wanted ?? []), ...seqs]) }),
  }
}

/**
 * A compaction whose summary a hook has changed, checked and repaired again. A changed summary that
 * is unusable or makes the next request too large is rejected, and the original summary stays.
 */
async function changedCompaction(
  input: PlanInput,
  compaction: Compaction,
  { template: asked, signal }: CompactOptions,
  { after, refused }: CompactionHooks,
): Promise<Compaction> {
  const { plan, drafts, report } = compaction
  const draft = drafts.find((each) => each.kind === 'checkpoint')
  if (!after || !draft || plan.action !== 'summarize') return compaction
  const template = chooseTemplate([asked], input.policy.template)
  const { summary, summarizer } = draft
  const count = inModelTokens(input.counter)
  const budget = most(plan.cut.summaryBudget, count(summary))
  const facts = input.facts()
  const answer = await abortable(
    after({ summary, summarizer, template, budget, plan, facts, signal }),
    signal,
  )
  if (!answer || answer.summary === summary) return compaction
  const { by } = answer
  const { standing } = plan.cut
  const beside = textsBeside(draft, input.log)
  const record = { facts, template, budget, count, log: input.log, beside, standing }
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
