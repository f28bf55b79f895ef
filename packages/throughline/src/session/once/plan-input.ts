import { factsOf } from '../../facts/facts-of.ts'
import { planInputWith, type CompactLogOptions } from './compact-log.ts'
import type { Chronological } from '../../log/order.ts'
import type { PlanInput } from '../../compaction/plan/plan.ts'

/** Everything that a plan for this log depends on. */
export function planInputFor(log: Chronological, options: CompactLogOptions): PlanInput {
  return planInputWith(log, options, { factsOf })
}
