import type { ModelTokens } from '../../tokens/units.ts'
import type { Ref } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'
import type { Chronological } from '../../log/order.ts'
import type { PlanToPrune, PlanToSummarize } from '../plan/plan.ts'
import type { Facts } from '../../facts/facts.ts'
import type { Template } from '../summary/template.ts'

/** What somebody else may say about a compaction, between its steps. */
export interface CompactionHooks {
  /** Before anything is done; `undefined` lets it be. */
  before?: ((request: BeforeCompaction) => Promise<Decision | undefined>) | undefined
  /** Before a summary is committed; `undefined` lets it be. */
  after?: ((request: AfterSummary) => Promise<ChangedSummary | undefined>) | undefined
  /** Told of an answer that cannot be used; the compaction goes on without it. */
  refused: (refused: RefusedAnswer) => void
}

/** What a compaction is about to do, and what it is done to. Nothing of it may be changed. */
export interface BeforeCompaction {
  plan: PlanToPrune | PlanToSummarize
  /** What the model sees now. */
  messages: readonly Message[]
  /** The log as far as it has been read: all that the context depends on. */
  log: Chronological
  /** What code knows of the session. */
  facts: Facts
  signal?: AbortSignal | undefined
}

/** What is wanted instead. */
export interface Decision {
  /** Whose decision it is. */
  by: string
  /** Why there must be no compaction. */
  veto?: string | undefined
  /** Entries and parts that stay as they are, as far as there is room. */
  keep?: readonly Ref[] | undefined
  /** The summary itself: it is checked like any other. */
  summary?: string | undefined
}

/** A summary that passed its check, before it is committed. */
export interface AfterSummary {
  summary: string
  /** `local`, or the name of the summarizer that wrote it. */
  summarizer: string
  template: Template
  /** What the summary may take, in tokens of the model. */
  budget: ModelTokens
  plan: PlanToPrune | PlanToSummarize
  facts: Facts
  signal?: AbortSignal | undefined
}

interface ChangedSummary {
  by: string
  summary: string
}

interface RefusedAnswer {
  by: string
  hook: 'before' | 'after'
  problems: readonly string[]
}
