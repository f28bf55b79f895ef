import type { Budget } from './budget.ts'
import { type Floor } from '../errors.ts'
import type { PruneWeighed } from './prune-pays.ts'
import type { PricedSummarizer } from '../summary/with-model/summarizer.ts'
import { type Measurement, type RequestFrame } from '../measure/measure.ts'
import type { Cold } from '../cold-cache.ts'
import type { Counter } from '../../tokens/counter.ts'
import type { Unit } from '../../log/steps.ts'
import { type PlannedCut } from '../cut/planned-cut.ts'
import { type Dropped } from './dropped.ts'
import { type ModelTokens } from '../../tokens/units.ts'
import type { Context } from '../../log/context/context.ts'
import type { Replacement } from '../../log/entry.ts'
import type { Chronological } from '../../log/order.ts'
import type { Policy } from '../policy.ts'
import type { Trigger } from '../trigger.ts'
import type { Facts } from '../../facts/facts.ts'
import type { Window } from '../../tokens/window.ts'

/** Everything that a plan depends on. */
export interface PlanInput {
  log: Chronological
  context: Context
  /** Computed only if something has to be compacted. */
  facts: () => Facts
  frame: RequestFrame
  window: Window
  policy: Policy
  counter: Counter
  trigger: Trigger
  /** Who would be asked for a summary; without one, code writes it. */
  summarizer?: PricedSummarizer | undefined
  /** The request is for another kind of summary than the current one. */
  anew?: boolean | undefined
  /** Why the provider's cache is cold, if it is: what is due soon is done now. */
  cold?: Cold | undefined
}

/**
 * What a compaction would do and why, as data, so that it can be printed before anything happens.
 * All sizes are in tokens of the model.
 */
export type Plan = PlanToLeave | PlanToPrune | PlanToSummarize

export interface PlanBase {
  trigger: Trigger
  measurement: Measurement
  budget: Budget
  /** Nothing had to be done yet, but the provider's cache is cold anyway. */
  cold?: Cold
  /** Where pruning alone would make enough room: what decided whether that is done. */
  weighed?: PruneWeighed
}

/** There is nothing to do. */
export interface PlanToLeave extends PlanBase {
  action: 'none'
  reason: 'off' | 'fits' | 'nothing-to-compact'
}

/** What a pruning replaces, and what that frees in tokens of the model. */
export interface PlannedPruning {
  replacements: Replacement[]
  freed: ModelTokens
}

/** Pruning alone reaches the low-water mark, or clipping does where there is nothing to summarize. */
export interface PlanToPrune extends PlanBase {
  action: 'prune'
  how: 'prune' | 'clip'
  /** What the model will not see any more. */
  dropped: Dropped
  floor: Floor
  pruning: PlannedPruning
}

/** The head becomes a summary. */
export interface PlanToSummarize extends PlanBase {
  action: 'summarize'
  /** What the model will not see any more but in the summary's words. */
  dropped: Dropped
  floor: Floor
  cut: PlannedCut
}

/** What every plan starts from, and the units that it divides. */
export interface BegunPlan extends PlanBase {
  floor: Floor
  units: Unit[]
}
