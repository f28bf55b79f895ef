import { keptMessages } from '../measure/unit-tokens.ts'
import { renderContext } from '../render/render.ts'
import { modelOrder } from '../../log/order.ts'
import type { Ref, Replacement, Seq, TailItem } from '../../log/entry.ts'
import type { ContextItem } from '../../log/context/context-item.ts'
import { type Unit, unitsOf } from '../../log/steps.ts'
import type { Counter } from '../../tokens/counter.ts'
import type { SummaryRole } from '../render/summary-block.ts'
import { modelTokens, sumEstimated, toModelShare, type ModelTokens } from '../../tokens/units.ts'
import type { Message } from '../../log/message.ts'
import type { Context } from '../../log/context/context.ts'
import type { Plan } from './plan.ts'

/** What a plan does to one message of the context. Sizes are in tokens of the model, not rounded, so that they add up. */
export interface PlannedItem {
  seq: Seq
  what: 'summary' | 'human' | 'harness' | 'assistant' | 'tool' | 'note'
  tools?: string[]
  action: 'kept' | 'clipped' | 'pruned' | 'summarized' | 'replaced'
  before: ModelTokens
  after: ModelTokens
  replaced?: Ref[]
}

const none = modelTokens(0)

/** The plan's decision: a batch of replacements, or a tail. */
export type Decided = { replacements: readonly Replacement[] } | { tail: readonly TailItem[] }

/** One row for every message of the context, in the model's order. */
export function plannedItems(
  units: readonly Unit[],
  decided: Decided,
  { counter, summaryRole }: { counter: Counter; summaryRole: SummaryRole },
): PlannedItem[] {
  const bySeq = decisionsBySeq(decided)
  const others = 'tail' in decided ? 'summarized' : 'kept'
  return units.flatMap((unit) =>
    unit.items.map((item): PlannedItem => {
      const seq = unit.type === 'human' ? unit.seq : item.seq
      const row = { seq, ...kindOf(item), before: itemTokens(item) }
      if (item.type !== 'message' && item.type !== 'continuation') {
        return 'tail' in decided
          ? { ...row, action: 'replaced', after: none }
          : { ...row, action: 'kept', after: row.before }
      }
      const replacements = bySeq.get(seq)
      if (!replacements) {
        return { ...row, action: others, after: others === 'kept' ? row.before : none }
      }
      const action = actionOf(replacements)
      const after = sizeOf(keptMessages({ type: 'aside', item, items: [item] }, replacements))
      const replaced = replacements.map(({ ref }) => ref)
      return { ...row, action, after, ...(replaced.length > 0 && { replaced }) }
    }),
  )

  function itemTokens(item: ContextItem): ModelTokens {
    return sizeOf(renderContext(modelOrder([item]), summaryRole).messages)
  }

  function sizeOf(messages: readonly Message[]): ModelTokens {
    return toModelShare(sumEstimated(messages.map(counter.message)), counter.ratio)
  }
}

function actionOf(replacements: readonly Replacement[]): PlannedItem['action'] {
  if (replacements.length === 0) return 'kept'
  return replacements.some(({ how }) => how === 'pruned') ? 'pruned' : 'clipped'
}

function decisionsBySeq(decided: Decided): Map<Seq, Replacement[]> {
  const bySeq = new Map<Seq, Replacement[]>()
  if ('tail' in decided) {
    for (const item of decided.tail) {
      if (item.type === 'entry') bySeq.set(item.seq, item.replacements ?? [])
    }
    return bySeq
  }
  for (const replacement of decided.replacements) {
    const seq = Number.parseInt(replacement.ref, 10)
    bySeq.set(seq, [...(bySeq.get(seq) ?? []), replacement])
  }
  return bySeq
}

function kindOf(item: ContextItem): Pick<PlannedItem, 'what' | 'tools'> {
  if (item.type === 'summary') return { what: 'summary' }
  if (item.type !== 'message') return { what: 'note' }
  const { message, origin } = item
  if (message.role === 'user' || message.role === 'system') {
    return { what: origin === 'human' ? 'human' : 'harness' }
  }
  const tools =
    typeof message.content === 'string'
      ? []
      : message.content.flatMap((part) => ('toolName' in part ? [part.toolName] : []))
  return { what: message.role, ...(tools.length > 0 && { tools: [...new Set(tools)] }) }
}

/**
 * What a plan does to every message of the context, and what it costs. Computed on demand, because
 * it touches every message and most plans are carried out without anyone looking at them.
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
