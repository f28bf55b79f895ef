import { surveyOf } from '../../log/context/items-of.ts'
import { divideAhead, keptUnits } from '../../log/context/kept-units.ts'
import { entryAt, type Chronological } from '../../log/order.ts'
import { seenIn } from './dropped-between.ts'
import type { Unit } from '../../log/steps.ts'
import type { Context } from '../../log/context/context.ts'
import type { Facts } from '../../facts/facts.ts'

/**
 * The units that a compaction divides: those of the context, plus the latest request if an earlier
 * compaction by another harness removed it. That request stays word for word after every
 * compaction.
 */
export function plannedUnits(context: Context, facts: Facts, log: Chronological): Unit[] {
  const units = keptUnits(context.items, context.reasoning)
  const latest = facts.requests.at(-1)
  if (!latest || units.findLast((unit) => unit.type === 'human' && unit.seq >= latest.seq)) {
    return units
  }
  const entry = entryAt(log, latest.seq)
  if (entry?.kind !== 'message' || entry.message.role !== 'user') return units
  const { seq, message, origin } = entry
  const item = { type: 'message', seq, message, origin } as const
  const request: Unit = { type: 'human', item, items: [item], seq, message }
  const place = units.findIndex((unit) => unit.item.type !== 'summary')
  return units.toSpliced(place === -1 ? units.length : place, 0, request)
}

/**
 * Finds out what every plan asks of a context, in steps: a session that grows has it when a plan is
 * due.
 */
export function* readAhead({
  items,
  reasoning,
}: Pick<Context, 'items' | 'reasoning'>): Generator<undefined, void> {
  divideAhead(items, reasoning)
  yield
  surveyOf(items)
  yield
  seenIn(items)
}
