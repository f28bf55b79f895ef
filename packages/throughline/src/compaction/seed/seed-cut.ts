import { seedReplacements } from './seed-prune.ts'
import { messageOf } from './seed-messages.ts'
import { replaceParts } from '../../log/context/items-of.ts'
import { estimatedTokens, plus, sumEstimated, type EstimatedTokens } from '../../tokens/units.ts'
import type { ContextItem } from '../../log/context/context-item.ts'
import type { Replacement, TailItem } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'
import type { Cut, CutStrategy } from '../cut/cut.ts'

/** T8: "at least two turns", which its code counts in messages. */
const leastMessages = 2

/**
 * T8 to the letter, behind T9: walk back by message, each as large as the pruning left it, until
 * the budget is reached and there are two. The one liberty: a result is not parted from its call,
 * which no provider would take. Where the walk reaches the beginning, nothing changes.
 */
export const seedCut: CutStrategy = ({ units, full, counter, protectedTools }) => {
  const pruned = seedReplacements(units, protectedTools)
  const ofItem = (item: ContextItem): Replacement[] =>
    pruned.filter(({ ref }) => ref.startsWith(`${item.seq}.`))
  const tokensOf = (item: ContextItem): EstimatedTokens => {
    const message = messageOf(item)
    if (!message) return estimatedTokens(0)
    const own = item.type === 'message' ? ofItem(item) : []
    return counter.message(own.length > 0 ? replaceParts(message, own) : message)
  }
  const split = splitUnit(units, full, tokensOf)
  const said = units
    .slice(split)
    .flatMap((unit) => unit.items)
    .filter((item) => item.type === 'message')
  const tail = said.map((item): TailItem => {
    const own = ofItem(item)
    const refs = new Set(own.map(({ ref }) => ref))
    const earlier = (item.replacements ?? []).filter(({ ref }) => !refs.has(ref))
    const replacements = [...earlier, ...own]
    return { type: 'entry', seq: item.seq, ...(replacements.length > 0 && { replacements }) }
  })
  const head = units.slice(0, split).filter((unit) => unit.item.type !== 'summary')
  const tailTokens = sumEstimated(said.map(tokensOf))
  return { tail, tailTokens, head, ...(head.length === 0 && { leave: true }) } satisfies Cut
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
