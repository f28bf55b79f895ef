import { measureItems, type Measurement } from './measure.ts'
import { summaryRoleOf, type SummaryRole } from '../render/summary-block.ts'
import { plus, type ModelTokens } from '../../tokens/units.ts'
import type { ModelOrder } from '../../log/order.ts'
import type { Counter } from '../../tokens/counter.ts'

/** The next request with these items in place of the context's, estimated. */
export function sizeAfter(
  {
    counter,
    policy,
  }: { counter: Counter; policy: { summaryRole: SummaryRole; recallTool?: string | undefined } },
  { system, tools }: Pick<Measurement, 'system' | 'tools'>,
  items: ModelOrder,
): ModelTokens {
  return plus(system, tools, measureItems(items, counter, summaryRoleOf(policy)))
}
