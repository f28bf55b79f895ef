import { seedReplacements } from './seed-prune.ts'
import { estimatedTokens, plus, sumEstimated, type EstimatedTokens } from '../../tokens/units.ts'
import type { ContextItem } from '../../log/context-item.ts'
import type { TailItem } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'
import type { Cut, CutStrategy } from '../cut/cut.ts'

/** T8: "at least two turns", which its code counts in messages. */
const leastMessages = 2

/**
 * T8 to the letter: walk back by message until the budget is reached and there are two. The one
 * liberty: a result is not separated from its call, because no provider would accept that.
 */
export const seedCut: CutStrategy = ({ units, full, counter, protectedTools }) => {
  const split = splitUnit(units, full, (item) =>
    item.type === 'message' ? counter.message(item.message) : estimatedTokens(0),
  )
  const pruned = seedReplacements(units, protectedTools)
  const tailUnits = units.slice(split)
  const tail = tailUnits.flatMap((unit) =>
    unit.items.flatMap((item): TailItem[] => {
      if (item.type !== 'message') return []
      const own = pruned.filter(({ ref }) => ref.startsWith(`${item.seq}.`))
      const replacements = [...(item.replacements ?? []), ...own]
      return [{ type: 'entry', seq: item.seq, ...(replacements.length > 0 && { replacements }) }]
    }),
  )
  const said = tailUnits.flatMap((unit) => unit.items).filter((item) => item.type === 'message')
  const tailTokens = sumEstimated(said.map(({ message }) => counter.message(message)))
  const head = units.slice(0, split).filter((unit) => unit.item.type !== 'summary')
  return { tail, tailTokens, head } satisfies Cut
}

/** The unit in which the walk stops; 0 if it never does. */
function splitUnit(
  units: readonly Unit[],
  budget: EstimatedTokens,
  tokensOf: (item: ContextItem) => EstimatedTokens,
): number {
  let accumulated = estimatedTokens(0)
  let messages = 0
  for (let index = units.length - 1; index >= 0; index--) {
    for (const item of (units[index] as Unit).items.toReversed()) {
      if (item.type === 'summary') return index + 1
      accumulated = plus(accumulated, tokensOf(item))
      messages += 1
      if (accumulated >= budget && messages >= leastMessages) return index
    }
  }
  return 0
}
