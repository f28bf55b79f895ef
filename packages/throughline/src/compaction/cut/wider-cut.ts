import { giveBack } from './give-back.ts'
import { planCut, type PlannedCut } from './planned-cut.ts'
import { tailBudget } from './tail-budget.ts'
import { minus, modelTokens, plus, share, type ModelTokens } from '../../tokens/units.ts'
import type { Budget } from '../plan/budget.ts'
import type { PlanInput } from '../plan/plan.ts'
import type { Unit } from '../../log/steps.ts'

/** With less room than this, in tokens, no more of the tail is worth another summary. */
const leastMoreTail = modelTokens(300)

/** What a cut is planned from. */
export interface WiderCutInput {
  input: PlanInput
  units: readonly Unit[]
  budget: Budget
}

/**
 * The cut with a tail that takes `left` of the summary's room, which the facts leave: first what was
 * clipped of the newest, then more steps. `undefined` where that is not worth another summary.
 */
export function* widerCut(
  cut: PlannedCut,
  left: ModelTokens,
  { input, units, budget }: WiderCutInput,
): Generator<undefined, PlannedCut | undefined> {
  const { counter, policy } = input
  if (left < leastMoreTail || policy.tail !== tailBudget) return undefined
  const longer = giveBack(cut, { units, room: left, counter, policy })
  const given = minus(longer.tailTokens, cut.tailTokens)
  const full = { ...budget, tail: cut.tailTokens }
  let widest = cut
  for (const part of [1, 0.95, 0.9, 0.8, 0.65, 0.5]) {
    const more = share(minus(left, given), part)
    if (more < leastMoreTail) break
    const tried = planCut(input, units, full, plus(cut.tailTokens, more))
    if (tried.tailTokens > widest.tailTokens) widest = tried
    yield
  }
  if (widest === cut) return longer === cut ? undefined : longer
  if (longer === cut) return widest
  const room = minus(plus(cut.tailTokens, left), widest.tailTokens)
  return giveBack(widest, { units, room, counter, policy })
}
