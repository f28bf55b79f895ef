import { plannedItems, type PlannedItem } from '../cut/planned-item.ts'
import { unitsOf } from '../../log/steps.ts'
import type { Context } from '../../log/context.ts'
import type { Counter } from './measure.ts'
import type { Plan } from './plan.ts'
import type { SummaryRole } from '../render/summary-block.ts'

/**
 * What a plan does to every message of the context, and what it costs. Made on demand: it
 * touches every message, and most plans are carried out without being looked at.
 */
export function explainPlan(
  plan: Plan,
  context: Context,
  { counter, summaryRole }: { counter: Counter; summaryRole: SummaryRole },
): PlannedItem[] {
  const units = unitsOf(context.items)
  if (plan.action === 'none')
    return plannedItems(units, { replacements: [] }, { counter, summaryRole })
  const decided =
    plan.action === 'prune' ? { replacements: plan.pruning.replacements } : { tail: plan.cut.tail }
  return plannedItems(units, decided, { counter, summaryRole })
}
