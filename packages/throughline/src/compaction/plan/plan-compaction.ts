import type { Budget } from './budget.ts'
import { ContextFloorError } from '../errors.ts'
import { floorOf } from './floor.ts'
import { gate } from './gate.ts'
import { weighPrune } from './prune-alone.ts'
import type { PruneWeighed } from './prune-pays.ts'
import { measure, type Measurement } from '../measure/measure.ts'
import { partsNamed } from '../clip/parts.ts'
import { unusedReports } from '../../facts/background/told-background.ts'
import { pruneToLowWater, stepsToLowWater, type PruneInput } from '../prune/prune.ts'
import { staleSteps } from '../prune/stale.ts'
import { allSteps } from '../../json/all-steps.ts'
import { summaryRoleOf } from '../render/summary-block.ts'
import { plannedUnits } from './planned-units.ts'
import type { Unit } from '../../log/steps.ts'
import { cutSteps, newReplacements, planCut, type PlannedCut } from '../cut/planned-cut.ts'
import { sizeAfter } from '../measure/unit-tokens.ts'
import { withPruning } from './with-pruning.ts'
import { droppedBetween } from './dropped-between.ts'
import type { Dropped } from './dropped.ts'
import { checkpointItems } from '../../log/context/items-of.ts'
import {
  minus,
  modelTokens,
  most,
  toEstimated,
  toFree,
  toModel,
  type ModelTokens,
} from '../../tokens/units.ts'
import type { Context } from '../../log/context/context.ts'
import type { Ref, Replacement } from '../../log/entry.ts'
import type { Facts } from '../../facts/facts.ts'

import type { BegunPlan, Plan, PlanBase, PlanInput, PlannedPruning, PlanToLeave } from './plan.ts'
/**
 * Plans the next compaction. Pure: it calls nothing and writes nothing.
 * @throws ContextFloorError if even the smallest possible context doesn't fit the window.
 */
export function planCompaction(input: PlanInput): Plan {
  const begun = beginPlan(input)
  return 'action' in begun ? begun : allSteps(planSteps(begun, input))
}

/** The plan for a context that has been divided, in steps: other work comes between them. */
export function* planSteps(begun: BegunPlan, input: PlanInput): Generator<undefined, Plan> {
  const { units, ...planned } = begun
  const { trigger, measurement, budget } = planned
  const cut = yield* cutSteps(input, units, budget, budget.tail)
  yield
  const { pruning, weighed } = yield* pruneAlone(input, begun, cut)
  if (pruning)
    return {
      ...planned,
      action: 'prune',
      how: 'prune',
      pruning,
      dropped: yield* prunedAway(input, pruning),
      ...(weighed && { weighed }),
    }
  yield
  const clipping =
    cut.through === 0 && !cut.leave ? clipPlan(input, units, planned, cut) : undefined
  if (clipping)
    return {
      ...planned,
      action: 'prune',
      how: 'clip',
      pruning: clipping,
      dropped: yield* prunedAway(input, clipping),
    }
  if (cut.through === 0 && (cut.leave || trigger === 'manual')) {
    return { trigger, measurement, budget, action: 'none', reason: 'nothing-to-compact' }
  }
  const dropped = summarizedAway(input, cut)
  return { ...planned, action: 'summarize', cut, dropped, ...(weighed && { weighed }) }
}

/**
 * The prune that is done without a summary, if there is one, and why; it comes with the summary where
 * that costs less.
 */
export function* pruneAlone(
  input: PlanInput,
  begun: BegunPlan,
  cut: PlannedCut,
): Generator<undefined, { pruning?: PlannedPruning; weighed?: PruneWeighed }> {
  // An overflow has shown that estimates are off here: pruning to a mark would trust them.
  // If reasoning is both refused and demanded, no step may follow a pruned one.
  const { refused, demanded } = input.context.reasoning
  if (begun.trigger !== 'auto' || (refused && demanded)) return {}
  const pruning = yield* prunePlan(input, begun.units, begun.measurement, begun.budget)
  if (!pruning || cut.through === 0) return pruning ? { pruning } : {}
  const weighed = weighPrune(input, begun, { pruning, cut })
  return input.policy.pruneAlone(weighed) ? { pruning, weighed } : { weighed }
}

/**
 * Whether there is anything to do, and the means to do it.
 * @throws ContextFloorError if even the smallest possible context doesn't fit the window.
 */
export function beginPlan(input: PlanInput): PlanToLeave | BegunPlan {
  const base = gate(input)
  if ('action' in base) return base
  const { context, frame, policy, counter } = input
  const { budget } = base
  const facts = input.facts()
  const units = plannedUnits(context, facts, input.log)
  const { recallTool } = policy
  const { room, standing } = budget
  const floor = floorOf({ context, units, facts, frame, room, standing, recallTool }, counter)
  if (floor.total > budget.usable) {
    throw new ContextFloorError({ floor, limit: budget.usable, window: budget.window })
  }
  return { ...base, floor, units }
}

function* prunedAway(input: PlanInput, pruning: PlannedPruning): Generator<undefined, Dropped> {
  const { context, policy } = input
  return droppedBetween(context.items, yield* withPruning(input, pruning), policy.protectedTools)
}

/** What a cut takes from the model's eyes. */
export function summarizedAway(
  { context, log, policy }: PlanInput,
  { tail, continuation }: Pick<PlannedCut, 'tail' | 'continuation'>,
): Dropped {
  const base = context.seq
  const said = { summary: '', summarizer: '', tail, continuation, metadata: {} }
  const draft = { kind: 'checkpoint', at: 0, base, seq: base + 1, ...said } as const
  return droppedBetween(context.items, checkpointItems(context, draft, log), policy.protectedTools)
}

/** What clipping alone does: the head is empty, and all that there is stays with its middle left out. */
function clipPlan(
  input: PlanInput,
  units: readonly Unit[],
  { measurement, budget, trigger }: PlanBase,
  cut: PlannedCut,
): PlannedPruning | undefined {
  const before = sizeAfter(input, measurement, input.context.items)
  // There is no summary that needs the rest of the room. An overflow has shown that our estimates are
  // too low here.
  const room = trigger === 'overflow' ? budget.tail : budget.longestTail
  const fuller = planCut(input, units, { ...budget, tail: room }, room)
  const clipped = (fuller.through === 0 && afterClips(fuller)) || afterClips(cut)
  if (!clipped) return undefined
  const { replacements, after } = clipped
  if (after >= before || (trigger !== 'manual' && after >= budget.usable)) return undefined
  return { replacements, freed: minus(before, after) }

  function afterClips(
    cut: PlannedCut,
  ): { replacements: Replacement[]; after: ModelTokens } | undefined {
    const replacements = newReplacements(units, cut)
    if (replacements.length === 0) return undefined
    const items = allSteps(withPruning(input, { replacements }))
    return { replacements, after: sizeAfter(input, measurement, items) }
  }
}

/** The prune that reaches the low-water mark by itself; `undefined` if there is none. */
function* prunePlan(
  input: PlanInput,
  units: readonly Unit[],
  measurement: Measurement,
  budget: Budget,
): Generator<undefined, PlannedPruning | undefined> {
  const { context, policy, counter } = input
  // A provider's figure and our counts differ by the ratio and a bit more. Use the larger one, so
  // that the mark is reached by either.
  const estimated = measure(
    { ...context, measured: undefined },
    input.frame,
    counter,
    summaryRoleOf(policy),
  )
  const { ratio } = counter
  const tooMuch = minus(most(measurement.tokens, estimated.tokens), budget.lowWater)
  yield
  const pinned = new Set(partsNamed(units, stayingRefs(context, input.facts())))
  const stale = yield* staleSteps(units, policy.lenses)
  const asked: PruneInput = {
    units,
    need: toFree(tooMuch, ratio),
    recent: toEstimated(modelTokens(policy.recent(budget.usable)), ratio),
    recentSteps: policy.recentSteps,
    tailTurns: policy.tailTurns,
    protectedTools: policy.protectedTools,
    pinned,
    stale,
    counter,
    recallTool: policy.recallTool,
  }
  // Another strategy does its work at once.
  const isDefault = policy.prune === pruneToLowWater
  const pruning = isDefault ? yield* stepsToLowWater(asked) : policy.prune(asked)
  return pruning && { ...pruning, freed: toModel(pruning.freed, ratio) }
}

/** Pinned entries, and reports that have not been used yet. */
function stayingRefs({ pins }: Context, facts: Facts): Set<Ref> {
  const pinned = [...pins.values()].flatMap(({ ref }) => (ref ? [ref] : []))
  return new Set<Ref>([...pinned, ...[...unusedReports(facts)].map((seq) => `${seq}` as const)])
}
