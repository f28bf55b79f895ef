import { nothingDropped } from '../plan/dropped.ts'
import { abortable } from '../abortable.ts'
import { changedCompaction } from './changed-compaction.ts'
import { compact } from '../compact.ts'
import { CompactionVetoedError } from '../errors.ts'
import { policyToKeep } from './policy-to-keep.ts'
import { closedCircuitBreaker } from '../summary/with-model/circuit-breaker.ts'
import { planCompaction, type Plan, type PlanInput } from '../plan/plan.ts'
import { renderContext } from '../render/render.ts'
import { snapshot } from '../plan/snapshot.ts'
import { summaryRoleOf } from '../render/summary-block.ts'
import type { Compaction, CompactOptions } from '../compaction.ts'
import type { BeforeCompaction, CompactionHooks, Decision } from './hooks.ts'

/**
 * {@link compact}, with somebody else asked before anything is done and before a summary is
 * committed. What they want is done as far as it keeps the promises: what they supply is checked
 * like a summarizer's answer, and a veto of what is needed is an error.
 * @throws ContextFloorError if not even the least context fits.
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
  const plan = planCompaction(input)
  if (plan.action === 'none') return compact(input, options)
  // Answers take their time: what is said meanwhile is no part of the plan.
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

/** Where the next request fits all the same, a veto is no more than a compaction that comes later. */
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
  // What was prepared knows nothing of what is to be kept.
  const asked = keep ? { ...options, prepared: undefined } : options
  if (text === undefined) return compact(wanted, asked)
  const supplied = await compact(
    { ...wanted, policy: { ...policy, attempts: 1 } },
    {
      ...options,
      prepared: undefined,
      // A summarizer's failures are none of a summary that is there already.
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
  // The plan was told already.
  return compact(wanted, { ...asked, onPlan: undefined })
}
