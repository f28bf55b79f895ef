import { copyOfItems } from '../../log/context/known-items.ts'
import { copyOf } from '../../log/order.ts'
import type { PlanInput } from './plan.ts'

/**
 * A plan's input, frozen as it is now. A session's log and context grow in place while a summary is
 * written. Messages that arrive meanwhile are not part of the plan and must go after its result.
 */
export function snapshot(input: PlanInput): PlanInput {
  const { context } = input
  const facts = input.facts()
  return {
    ...input,
    log: copyOf(input.log),
    context: {
      ...context,
      items: copyOfItems(context.items),
      pins: new Map(context.pins),
      unpinned: context.unpinned.slice(),
    },
    facts: () => facts,
  }
}
