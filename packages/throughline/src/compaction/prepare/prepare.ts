import { allSteps } from '../../json/all-steps.ts'
import { pacedOf } from '../plan/gate.ts'
import { budgetOf } from '../plan/budget.ts'
import { askModel } from '../ask-model.ts'
import { floorOf } from '../plan/floor.ts'
import { measure } from '../measure/measure.ts'
import { basisOf, type Prepared } from './prepared.ts'
import { type PlanInput, type PlanToSummarize } from '../plan/plan.ts'
import { pruneAlone, summarizedAway } from '../plan/plan-compaction.ts'
import { planCut } from '../cut/planned-cut.ts'
import { plannedUnits } from '../plan/planned-units.ts'
import { summaryRoleOf } from '../render/summary-block.ts'
import { chooseTemplate } from '../summary/template.ts'
import { least, minus, modelTokens, plus, toModel, type ModelTokens } from '../../tokens/units.ts'
import { unitTokens } from '../measure/unit-tokens.ts'
import type { Counter } from '../../tokens/counter.ts'
import type { Unit } from '../../log/steps.ts'
import type { CompactOptions } from '../compaction.ts'
import type { Spending } from '../../log/entry.ts'
import type { Attempt } from '../report.ts'

/** Summary attempts per preparation: the compaction itself may need the others. */
export const preparedAttempts = 2

/**
 * Plans a summary that will be needed soon, as if the context were compacted now, but small enough
 * that everything that arrives until then also fits below the low-water mark. Returns `undefined`
 * if there is nothing to prepare: pruning will be enough, or too little room would be left for
 * summary and tail. Later there is less still to come, so it may work then.
 */
export function planPreparation(input: PlanInput): PlanToSummarize | undefined {
  const { context, frame, policy, counter } = input
  const measurement = measure(context, frame, counter, summaryRoleOf(policy))
  const fixed = plus(measurement.system, measurement.tools)
  const budget = budgetOf(policy, input.window, fixed, pacedOf(input))
  const { usable, threshold, lowWater } = budget
  const untilDue = minus(threshold, measurement.tokens)
  if (untilDue <= 0 || measurement.tokens < policy.prepareAt(usable)) return undefined
  const facts = input.facts()
  const units = plannedUnits(context, facts, input.log)
  // The step with which it is due may be as large as the newest one.
  const toCome = plus(untilDue, newestStep(units, counter))
  const keep = least(budget.keep, minus(lowWater, fixed, toCome))
  if (keep < budget.keep / 4) return undefined
  const { recallTool } = policy
  const { room, standing } = budget
  const floor = floorOf({ context, units, facts, frame, room, standing, recallTool }, counter)
  if (floor.total > usable) return undefined
  const tail = modelTokens(policy.tail(usable, keep))
  const small = { ...budget, keep, tail, longestTail: tail }
  // Nobody knows the session's state at the time of use, so the message that a continuation would
  // repeat stays in the tail.
  const open = { ...input, policy: { ...policy, continuation: () => null } }
  const cut = planCut(open, units, small, small.tail)
  if (cut.through === 0) return undefined
  const begun = { trigger: 'auto', measurement, budget, floor, units } as const
  if (allSteps(pruneAlone(input, begun, cut)).pruning) return undefined
  const dropped = summarizedAway(input, cut)
  return { action: 'summarize', trigger: 'auto', measurement, budget: small, floor, cut, dropped }
}

function newestStep(units: readonly Unit[], counter: Counter): ModelTokens {
  const step = units.findLast(({ type }) => type === 'step')
  return step ? toModel(unitTokens(step, [], counter), counter.ratio) : modelTokens(0)
}

export interface Preparation {
  /** `undefined` if no attempt could be used. */
  prepared: Prepared | undefined
  attempts: Attempt[]
  spent: Spending | undefined
}

/**
 * Makes the summary of a plan with the session's summarizer; writes nothing.
 * @throws the signal's reason if it is aborted.
 */
export async function prepare(
  input: PlanInput,
  plan: PlanToSummarize,
  options: CompactOptions,
): Promise<Preparation> {
  const { policy } = input
  const template = chooseTemplate([options.template], policy.template)
  const attempts = Math.min(policy.attempts, preparedAttempts)
  const units = plannedUnits(input.context, input.facts(), input.log)
  const model = await askModel(
    { ...input, policy: { ...policy, attempts } },
    { plan, units },
    options,
    template,
  )
  if (model?.summary === undefined) {
    return { prepared: undefined, attempts: model?.attempts ?? [], spent: model?.spent }
  }
  const { summary, summarizer, rung, spent } = model
  const prepared: Prepared = {
    ...basisOf(input, { template, focus: options.focus }),
    cut: plan.cut,
    summary,
    summarizer,
    rung,
    attempts: model.attempts,
    spent,
  }
  return { prepared, attempts: model.attempts, spent }
}
