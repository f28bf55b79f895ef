import { cacheLife } from '../../tokens/session-cost.ts'
import { paceOf } from '../measure/pace.ts'
import { budgetOf, type Budget, type Paced } from './budget.ts'
import { measure } from '../measure/measure.ts'
import { plus, type ModelTokens } from '../../tokens/units.ts'
import { summaryRoleOf } from '../render/summary-block.ts'
import type { PlanBase, PlanInput, PlanToLeave } from './plan.ts'
import type { Policy } from '../policy.ts'

/** Whether there is anything to do, by its size alone: nothing is read that only a summary needs. */
export function gate(input: PlanInput): PlanToLeave | PlanBase {
  const { context, frame, policy, counter, trigger } = input
  const measurement = measure(context, frame, counter, summaryRoleOf(policy))
  const fixed = plus(measurement.system, measurement.tools)
  const budget = budgetOf(policy, input.window, fixed, pacedOf(input))
  const isEarly = trigger === 'auto' && measurement.tokens < budget.threshold
  const cold = isEarly && isDueSoon(measurement.tokens, policy, budget) ? input.cold : undefined
  const base = { trigger, measurement, budget, ...(cold && { cold }) }
  if (trigger !== 'manual' && !policy.auto) return { ...base, action: 'none', reason: 'off' }
  if (isEarly && !cold) return { ...base, action: 'none', reason: 'fits' }
  if (context.items.length === 0) return { ...base, action: 'none', reason: 'nothing-to-compact' }
  return base
}

/** From here on a summary is prepared, and what is prepared is used where that costs nothing. */
export function isDueSoon(tokens: ModelTokens, policy: Policy, { usable }: Budget): boolean {
  return tokens >= policy.prepareAt(usable)
}

/** Only for a policy that goes by it. */
export function pacedOf({
  context,
  log,
  counter,
  policy: { economy },
  frame: { model },
  summarizer,
}: Pick<PlanInput, 'context' | 'log' | 'counter' | 'policy' | 'frame' | 'summarizer'>):
  | Paced
  | undefined {
  if (!economy) return undefined
  const pace = paceOf(context, log, counter, economy.cacheLife ?? cacheLife)
  return { pace, model, summarizer }
}
