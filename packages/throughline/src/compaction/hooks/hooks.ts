import type { ModelTokens } from '../../tokens/units.ts'
import type { Ref } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'
import type { Chronological } from '../../log/order.ts'
import type { PlanToPrune, PlanToSummarize } from '../plan/plan.ts'
import type { Facts } from '../../facts/facts.ts'
import type { Template } from '../summary/template.ts'

/** The hooks that can influence a compaction between its steps. */
export interface CompactionHooks {
  /** Called before anything is done; `undefined` changes nothing. */
  before?: ((request: BeforeCompaction) => Promise<Decision | undefined>) | undefined
  /** Called before a summary is committed; `undefined` changes nothing. */
  after?: ((request: AfterSummary) => Promise<ChangedSummary | undefined>) | undefined
  /** Called with an answer that can't be used; the compaction continues without it. */
  refused: (refused: { by: string; hook: 'before' | 'after'; problems: readonly string[] }) => void
}

/** What a compaction is about to do, and to what. Hooks must not modify any of it. */
export interface BeforeCompaction {
  plan: PlanToPrune | PlanToSummarize
  /** What the model sees now. */
  messages: readonly Message[]
  /** The log as it has been read so far: everything that the context depends on. */
  log: Chronological
  /** What code knows about the session. */
  facts: Facts
  signal?: AbortSignal | undefined
}

/** What the hook wants instead. */
export interface Decision {
  /** The name of the plugin that decided. */
  by: string
  /** Why there must be no compaction. */
  veto?: string | undefined
  /** Entries and parts to keep as they are, if they fit. */
  keep?: readonly Ref[] | undefined
  /** The summary itself; it is checked like any other. */
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
