import type { Cold } from './cold-cache.ts'
import { nothingDropped, type Dropped } from './plan/dropped.ts'
import type { Spending, Usage } from '../log/entry.ts'
import type { ModelTokens } from '../tokens/units.ts'
import type { Plan, PlanToLeave } from './plan/plan.ts'
import type { Trigger } from './trigger.ts'
import type { Refused } from './summary/with-model/refused.ts'
import type { SummaryCall } from './summary/with-model/summarizer.ts'

/** The ways to make a context smaller, in the order in which they are tried. */
export type Rung =
  | 'prune'
  | 'clip'
  | 'provider'
  | 'model'
  | 'model-half'
  | 'local'
  | 'shorter-tail'
  | 'clipped-tail'

/** One attempt at a summary by a model, or at a compaction by its provider. */
export interface Attempt {
  rung: Rung
  summarizer: string
  /** What was wrong with the summary; empty if it was accepted. */
  problems: string[]
  /** Each request that it made, including failed ones. */
  calls: readonly SummaryCall[]
  /** The usage of all of them together, if their providers reported it. */
  usage?: Usage
  /** US dollars, if all prices are known. */
  cost?: number
  /** What its provider would refuse again, so that it was not asked again for the same. */
  refused?: Refused
}

/** What a compaction did. Sizes are in tokens of the model. */
export interface Report {
  action: 'none' | 'prune' | 'summary'
  trigger: Trigger
  /** Why nothing was done. */
  reason?: PlanToLeave['reason']
  /** It was done before it had to be, because the provider's cache was cold. */
  cold?: Cold
  rung?: Rung
  summarizer?: string
  before: ModelTokens
  after: ModelTokens
  /** Whether the next request fits now. A compaction that someone asked for may not be enough. */
  fits: boolean
  /** What the model does not see any more, by kind, with the refs that read it back. */
  dropped: Dropped
  attempts: Attempt[]
  /** The summary was prepared in advance, so there was no wait for it. */
  prepared?: true
  /** The cost of all attempts together; missing if no model was asked. */
  spent?: Spending
}

/** The report of a plan before any of it has been done. */
export function reportBefore({ trigger, measurement: { tokens }, budget, cold }: Plan): Report {
  const fits = tokens < budget.usable
  const nothing = { dropped: nothingDropped, attempts: [] }
  const early = cold && { cold }
  return { action: 'none', trigger, before: tokens, after: tokens, fits, ...nothing, ...early }
}
