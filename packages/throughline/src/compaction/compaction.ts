import type { EntryDraft } from '../log/entry.ts'
import type { Plan } from './plan/plan.ts'
import type { ProviderCompactor } from './provider/provider-compactor.ts'
import type { DiscardReason, Prepared } from './prepare/prepared.ts'
import type { Report } from './report.ts'
import type { Template } from './summary/template.ts'
import type { CircuitBreaker } from './summary/with-model/circuit-breaker.ts'
import type { Summarizer } from './summary/with-model/summarizer.ts'

/** Options for carrying out a plan. */
export interface CompactOptions {
  /** Milliseconds since 1970; the core has no clock. */
  now: number
  /** What the log says of failed summaries. */
  circuitBreaker: CircuitBreaker
  /** Without one, only the local summarizer is used. */
  summarizer?: Summarizer | undefined
  /** The provider's own compaction, tried where the policy says. */
  compactor?: ProviderCompactor | undefined
  /** The topic that the summary should cover in most detail. */
  focus?: string | undefined
  template?: Template | undefined
  signal?: AbortSignal | undefined
  /** A summary that was prepared earlier; it is tried first, if it is still valid. */
  prepared?: Prepared | undefined
  /** Lets the host do something else between two pieces of work. */
  pause?: (() => Promise<void> | void) | undefined
  /** Called with the plan before anything is done, if there is anything to do. */
  onPlan?: ((plan: Plan) => void) | undefined
}

/** A compaction that is ready to commit; nothing changes until its entries are appended. */
export interface Compaction {
  plan: Plan
  /** The entries to append in one transaction, if the log is still the one that was planned for. */
  drafts: EntryDraft[]
  report: Report
  /** What happened to the prepared summary, if one was considered. */
  prepared?: 'used' | DiscardReason
}
