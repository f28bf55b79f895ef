import { unitsOf, type Unit } from '../steps.ts'
import { isHuman, tailKept, type ReasoningTaken } from './kept-reasoning.ts'
import { modelOrder, type ModelOrder } from '../order.ts'
import type { ContextItem } from './context-item.ts'

/** How the first items of a context have been divided. */
interface Divided {
  taken: ReasoningTaken
  upTo: number
  units: Unit[]
  /** Where the current loop begins, among the items and among the units. */
  loop: { item: number; unit: number }
}

const contexts = new WeakMap<ModelOrder, Divided>()

/**
 * The units of a context with their reasoning as the tail of a summary has it. Only what is new
 * since it was asked last is divided; of what is known, the newest unit and a loop that has ended.
 */
export function keptUnits(items: ModelOrder, taken: ReasoningTaken): Unit[] {
  // A compaction goes on with them while the session grows.
  return divided(items, taken).slice()
}

/** Divides what is new: a session that does so while it grows spares its compactions the work. */
export function divideAhead(items: ModelOrder, taken: ReasoningTaken): void {
  divided(items, taken)
}

function divided(items: ModelOrder, taken: ReasoningTaken): readonly Unit[] {
  let known = contexts.get(items)
  if (known?.taken.refused !== taken.refused || known.taken.demanded !== taken.demanded) {
    known = { taken, upTo: 0, units: [], loop: { item: 0, unit: 0 } }
    contexts.set(items, known)
  }
  if (known.upTo < items.length) divideOn(known, items)
  return known.units
}

function divideOn(known: Divided, items: ModelOrder): void {
  const { units, taken, upTo } = known
  const human = newHuman(items, upTo)
  const newest = units.at(-1)?.items.length ?? 0
  const from =
    human !== undefined ? known.loop : { item: upTo - newest, unit: Math.max(units.length - 1, 0) }
  units.length = from.unit
  let item = from.item
  for (const unit of unitsOf(modelOrder(tailKept(items.slice(from.item), taken)))) {
    units.push(unit)
    item += unit.items.length
    if (human !== undefined && item === human + 1) known.loop = { item, unit: units.length }
  }
  known.upTo = items.length
}

/** Where the newest human message stands among the items from `from` on, if there is one. */
function newHuman(items: ModelOrder, from: number): number | undefined {
  for (let at = items.length - 1; at >= from; at--) if (isHuman(items[at] as ContextItem)) return at
  return undefined
}
