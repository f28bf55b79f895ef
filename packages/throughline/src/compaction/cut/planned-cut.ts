import type { Counter } from '../../tokens/counter.ts'
import { summaryBlock, withRecallNote } from '../render/summary-block.ts'
import {
  estimatedTokens,
  minus,
  most,
  plus,
  share,
  sumEstimated,
  toEstimated,
  toModel,
  type EstimatedTokens,
  type ModelTokens,
} from '../../tokens/units.ts'
import type { Context } from '../../log/context.ts'
import type { Continuation, Seq, TailItem } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'
import type { Policy } from '../policy.ts'
import type { Facts } from '../../facts/facts.ts'

/** Where a compaction cuts. Sizes are in tokens of the model. */
export interface PlannedCut {
  head: Unit[]
  /** The newest entry of the head; 0 where nothing can be summarized. */
  through: Seq
  tail: TailItem[]
  tailTokens: ModelTokens
  continuation: Continuation | null
  /** The summary that the new one updates. */
  previous: string | undefined
  /** What tail, continuation, pins and wrapper leave for the summary. */
  summaryBudget: ModelTokens
}

// The mark of the list, and the ref.
const perRule = estimatedTokens(6)

/** What summary and tail may hold, in tokens of the model. */
export interface CutBudget {
  /** Together. */
  keep: ModelTokens
  /** The tail alone, before a rung asks for less. */
  tail: ModelTokens
}

/** What a cut is planned from. */
export interface CutPlanInput {
  context: Context
  facts: () => Facts
  policy: Policy
  counter: Counter
}

// Five headings and a line under each: a summary with less room says nothing.
const leastSummary = estimatedTokens(200)

/**
 * Plans the cut with a tail of about `tailBudget`; with a shorter one if there is
 * nothing in the head, or if the summary would have no room.
 */
export function planCut(
  { context, facts: index, policy, counter }: CutPlanInput,
  units: readonly Unit[],
  budget: CutBudget,
  tailBudget: ModelTokens,
): PlannedCut {
  const continuation = continuationOf(units, policy)
  const repeated = continuation?.of
  const toCut = units.filter((unit) => unit.type !== 'human' || unit.seq !== repeated)
  const { ratio } = counter
  const nothing = estimatedTokens(0)
  // The tail is cut by our own count; what it leaves of `keep` is told as the model counts.
  const keep = toEstimated(budget.keep, ratio)
  const full = toEstimated(budget.tail, ratio)
  const taken = continuation ? counter.message(continuation.message) : nothing
  const room = minus(keep, taken, blockOverhead(context, policy, counter))
  const smallest = plus(leastSummary, ruleTokens(index(), counter))
  let shortest: PlannedCut
  let tail = minus(toEstimated(tailBudget, ratio), taken)
  for (;;) {
    const cut = policy.cut({
      units: toCut,
      budget: most(tail, nothing),
      full,
      stretch: tail > 0 ? minus(share(keep, 0.6), taken) : nothing,
      tailTurns: policy.tailTurns,
      protectedTools: policy.protectedTools,
      counter,
      recallTool: policy.recallTool,
    })
    const left = minus(room, cut.tailTokens)
    const through = newestSeq(cut.head)
    shortest = {
      ...cut,
      through,
      continuation,
      tailTokens: toModel(cut.tailTokens, ratio),
      previous: context.checkpoint?.summary,
      summaryBudget: toModel(most(left, smallest), ratio),
    }
    if (through > 0 && left >= smallest) return shortest
    if (tail <= 0) return shortest
    tail = share(tail, 0.5)
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
function blockOverhead(
  context: Context,
  { recallTool }: Policy,
  counter: Counter,
): EstimatedTokens {
  const pins = [...context.pins.values()].map(({ text }) => text)
  const takenBack = context.unpinned.map(({ text }) => text)
  const block = summaryBlock({ summary: '', pins, takenBack })
  return counter.message({ role: 'user', content: withRecallNote(block, recallTool) })
}

/** Rules are never sacrificed: the summary has room for them, whatever else must go. */
function ruleTokens(facts: Facts, counter: Counter): EstimatedTokens {
  const rules = facts.rules.filter((rule) => rule.retractedBy === undefined)
  return sumEstimated(rules.map(({ text }) => plus(counter.text(text), perRule)))
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
