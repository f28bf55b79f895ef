import { nothingDropped, type Dropped } from './plan/dropped.ts'
import type { Spending, Usage } from '../log/entry.ts'
import type { ModelTokens } from '../tokens/units.ts'
import type { Plan, PlanToLeave, Trigger } from './plan/plan.ts'
import type { SummaryCall } from './summary/with-model/summarizer.ts'

/** The ways to make a context smaller, in the order in which they are tried. */
export type Rung =
  | 'prune'
  | 'clip'
  | 'model'
  | 'model-half'
  | 'local'
  | 'shorter-tail'
  | 'clipped-tail'

/** One try to make a summary with a model. */
export interface Attempt {
  rung: Rung
  summarizer: string
  /** What was wrong with it; empty if it was taken. */
  problems: string[]
  /** Each request that it made, those that failed too. */
  calls: readonly SummaryCall[]
  /** Of all of them together, where their providers said it. */
  usage?: Usage
  /** US dollars, where all prices are known. */
  cost?: number
}

/** What a compaction did. Sizes are in tokens of the model. */
export interface Report {
  action: 'none' | 'prune' | 'summary'
  trigger: Trigger
  /** Why nothing was done. */
  reason?: PlanToLeave['reason']
  rung?: Rung
  summarizer?: string
  before: ModelTokens
  after: ModelTokens
  /** Whether the next request fits now. Someone who asks for a compaction may get one that is not enough. */
  fits: boolean
  /** What the model does not see any more, by kind, with the refs that read it back. */
  dropped: Dropped
  attempts: Attempt[]
  /** The summary was made before it was needed: nobody waited for it. */
  prepared?: true
  /** What all attempts took together; nothing where no model was asked. */
  spent?: Spending
}

/** The report of a plan of which nothing has been done yet. */
export function reportBefore({ trigger, measurement: { tokens }, budget }: Plan): Report {
  const fits = tokens < budget.usable
  const nothing = { dropped: nothingDropped, attempts: [] }
  return { action: 'none', trigger, before: tokens, after: tokens, fits, ...nothing }
}
