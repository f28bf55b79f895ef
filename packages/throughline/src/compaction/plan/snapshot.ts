import { chronological, modelOrder } from '../../log/order.ts'
import type { PlanInput } from './plan.ts'

/**
 * A plan's input as it stands now. A session's log and context grow in place, and a summary takes
 * its time: what is said meanwhile is no part of the plan and must stand behind what it makes.
 */
export function snapshot(input: PlanInput): PlanInput {
  const { context } = input
  const facts = input.facts()
  return {
    ...input,
    log: chronological(input.log.slice()),
    context: {
      ...context,
      items: modelOrder(context.items.slice()),
      pins: new Map(context.pins),
      unpinned: context.unpinned.slice(),
    },
    facts: () => facts,
  }
}
