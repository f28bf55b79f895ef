import type { Counter } from '../measure/measure.ts'
import { summaryBlock, withRecallNote } from '../render/summary-block.ts'
import type { Budget } from '../plan/budget.ts'
import type { Context } from '../../log/context.ts'
import type { Continuation, Seq, TailItem } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'
import type { Policy } from '../policy.ts'
import type { Facts } from '../../facts/facts.ts'

/** Where a compaction cuts. Sizes are in tokens as the counter counts them, before its ratio. */
export interface PlannedCut {
  head: Unit[]
  /** The newest entry of the head; 0 where nothing can be summarized. */
  through: Seq
  tail: TailItem[]
  tailTokens: number
  continuation: Continuation | null
  /** The summary that the new one updates. */
  previous: string | undefined
  /** What tail, continuation, pins and wrapper leave for the summary. */
  summaryBudget: number
}

/** What a cut is planned from. */
export interface CutPlanInput {
  context: Context
  facts: () => Facts
  policy: Policy
  counter: Counter
}

// Five headings and a line under each: a summary with less room says nothing.
const leastSummary = 200

/**
 * Plans the cut with a tail of about `tailBudget` tokens; with a shorter one if there is
 * nothing in the head, or if the summary would have no room.
 */
export function planCut(
  { context, facts: index, policy, counter }: CutPlanInput,
  units: readonly Unit[],
  budget: Budget,
  tailBudget: number,
): PlannedCut {
  const continuation = continuationOf(units, policy)
  const repeated = continuation?.of
  const toCut = units.filter((unit) => unit.type !== 'human' || unit.seq !== repeated)
  const { keep } = budget
  const taken = continuation ? counter.message(continuation.message) : 0
  const room = keep - taken - blockOverhead(context, policy, counter)
  const least = leastSummary + ruleTokens(index(), counter)
  let shortest: PlannedCut
  for (let tail = tailBudget - taken; ; tail = Math.floor(tail / 2)) {
    const cut = policy.cut({
      units: toCut,
      budget: Math.max(tail, 0),
      full: budget.tail,
      stretch: tail > 0 ? Math.floor(keep * 0.6) - taken : 0,
      tailTurns: policy.tailTurns,
      protectedTools: policy.protectedTools,
      counter,
      recallTool: policy.recallTool,
    })
    const summaryBudget = Math.max(room - cut.tailTokens, least)
    const previous = context.checkpoint?.summary
    const through = newestSeq(cut.head)
    shortest = { ...cut, through, continuation, previous, summaryBudget }
    if (through > 0 && room - cut.tailTokens >= least) return shortest
    if (tail <= 0) return shortest
  }
}

/** A plugin may answer anything: not before a pending call, and repeating what is no message. */
export function continuationOf(units: readonly Unit[], policy: Policy): Continuation | null {
  const last = units.at(-1)
  if (last?.type === 'step' && last.status === 'pending') return null
  const continuation = policy.continuation(units)
  if (continuation?.of === undefined) return continuation
  if (units.some((unit) => unit.type === 'human' && unit.seq === continuation.of)) {
    return continuation
  }
  const { of: _, replacements: __, ...own } = continuation
  return own
}

/** The wrapper of the summary with its pins. */
function blockOverhead(context: Context, { recallTool }: Policy, counter: Counter): number {
  const pins = [...context.pins.values()].map(({ text }) => text)
  const takenBack = context.unpinned.map(({ text }) => text)
  const block = summaryBlock({ summary: '', pins, takenBack })
  return counter.message({ role: 'user', content: withRecallNote(block, recallTool) })
}

/** Rules are never sacrificed: the summary has room for them, whatever else must go. */
function ruleTokens(facts: Facts, counter: Counter): number {
  return facts.rules
    .filter((rule) => rule.retractedBy === undefined)
    .reduce((sum, { text }) => sum + counter.text(text) + 6, 0)
}

function newestSeq(units: readonly Unit[]): Seq {
  let newest = 0
  for (const unit of units) {
    for (const item of unit.items) {
      if (item.type === 'message' || item.type === 'late') newest = Math.max(newest, item.seq)
    }
  }
  return newest
}
