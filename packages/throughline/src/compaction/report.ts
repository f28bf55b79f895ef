import type { Usage } from '../log/entry.ts'
import type { PlanToLeave, Trigger } from './plan.ts'

/** The ways to make a context smaller, in the order in which they are tried. */
export type Rung = 'prune' | 'model' | 'model-half' | 'local' | 'shorter-tail' | 'clipped-tail'

/** One try to make a summary with a model. */
export interface Attempt {
  rung: Rung
  summarizer: string
  /** What was wrong with it; empty if it was taken. */
  problems: string[]
  usage?: Usage
}

/** What a compaction did. Sizes are in tokens. */
export interface Report {
  action: 'none' | 'prune' | 'summary'
  trigger: Trigger
  /** Why nothing was done. */
  reason?: PlanToLeave['reason']
  rung?: Rung
  summarizer?: string
  before: number
  after: number
  /** Whether the next request fits now. Someone who asks for a compaction may get one that is not enough. */
  fits: boolean
  attempts: Attempt[]
}
