import { replaceParts } from '../../log/context/items-of.ts'
import { keptMessage } from '../render/render.ts'
import { sumEstimated, plus, type EstimatedTokens, type ModelTokens } from '../../tokens/units.ts'
import { measureItems, type Measurement } from './measure.ts'
import { summaryRoleOf, type SummaryRole } from '../render/summary-block.ts'
import type { Replacement } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'
import type { Unit } from '../../log/steps.ts'
import type { Counter } from '../../tokens/counter.ts'
import type { ModelOrder } from '../../log/order.ts'

/** The messages of a unit as they are in a tail: with the reasoning that stays, and parts replaced. */
export function keptMessages(unit: Unit, replacements: readonly Replacement[]): Message[] {
  if (unit.type === 'human' && unit.item.type === 'continuation') {
    const own = replacements.filter(({ ref }) => ref.startsWith(`${unit.seq}.`))
    return [own.length > 0 ? replaceParts(unit.message, own) : unit.message]
  }
  return unit.items.flatMap((item): Message[] => {
    if (item.type === 'late') return [item.message]
    if (item.type !== 'message') return []
    const own = replacements.filter(({ ref }) => ref.startsWith(`${item.seq}.`))
    const { message: whole, kept } = item
    const message = keptMessage({
      message: own.length > 0 ? replaceParts(whole, own) : whole,
      replacements: own,
      ...(kept && { kept }),
    })
    return message ? [message] : []
  })
}

/** What a unit holds in a tail. */
export function unitTokens(
  unit: Unit,
  replacements: readonly Replacement[],
  counter: Counter,
): EstimatedTokens {
  return sumEstimated(keptMessages(unit, replacements).map(counter.message))
}

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
