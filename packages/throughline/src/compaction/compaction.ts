import type { EntryDraft } from '../log/entry.ts'
import type { Plan } from './plan/plan.ts'
import type { DiscardReason, Prepared } from './prepare/prepared.ts'
import type { Report } from './report.ts'
import type { Template } from './summary/template.ts'
import type { CircuitBreaker } from './summary/with-model/circuit-breaker.ts'
import type { Summarizer } from './summary/with-model/summarizer.ts'

/** How a plan is carried out. */
export interface CompactOptions {
  /** Milliseconds since 1970: the core has no clock. */
  now: number
  /** What the log says of failed summaries. */
  circuitBreaker: CircuitBreaker
  /** Without one the local summarizer does it alone. */
  summarizer?: Summarizer | undefined
  /** What the summary should give most room to. */
  focus?: string | undefined
  template?: Template | undefined
  signal?: AbortSignal | undefined
  /** A summary that was made before: it comes first, if it is still good. */
  prepared?: Prepared | undefined
  /** Told what is about to be done, if anything is. */
  onPlan?: ((plan: Plan) => void) | undefined
}

/** A compaction that is ready to be committed: until it is appended nothing has changed. */
export interface Compaction {
  plan: Plan
  /** To be appended in one piece, if the log is still what the plan was made for. */
  drafts: EntryDraft[]
  report: Report
  /** What became of the prepared summary, where it came to that. */
  prepared?: 'used' | DiscardReason
}
