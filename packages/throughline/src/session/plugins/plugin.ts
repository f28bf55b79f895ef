import type { AfterSummary, BeforeCompaction } from '../../compaction/hooks/hooks.ts'
import type { ToolLens } from '../../facts/lens.ts'
import type { Section, Template } from '../../compaction/summary/template.ts'
import type { Continuation, Ref, Seq } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'
import type { EventSource, SessionEvent } from '../events.ts'

/**
 * What extends a session. Where several speak, the first that says something is heard; who has
 * nothing to say gives `undefined`. A plugin that throws, or gives what cannot be used, is passed
 * over, and a `plugin-failed` event says so.
 */
export interface Plugin {
  name: string
  /** Tools whose results are never pruned. */
  protectedTools?: readonly string[]
  /** How to read tools that Throughline does not know; they come before its own. */
  lenses?: readonly ToolLens[]
  /** A whole template; the core sections that it leaves out come back. */
  template?: () => Template | undefined
  /** Sections that stand behind those of whichever template is used. */
  sections?: readonly Section[]
  /** Asked before a context is pruned or summarized. Nothing has changed yet. */
  beforeCompact?: (
    request: BeforeCompaction,
  ) => CompactAnswer | undefined | Promise<CompactAnswer | undefined>
  /** Gives another summary: it is checked and repaired again before it is committed. */
  afterSummary?: (request: AfterSummary) => string | undefined | Promise<string | undefined>
  /** Replaces the continuation, vetoes it with `null`, or lets it be with `undefined`. */
  continuation?: (
    proposed: Continuation | null,
    units: readonly Unit[],
  ) => Continuation | null | undefined
  /** Told everything that the session does. Must not change what it is told of. */
  onEvent?: (event: SessionEvent, source: EventSource) => void
}

/** What a plugin wants of a compaction. */
export interface CompactAnswer {
  /**
   * Why there must be no compaction now. Where the next request does not fit without it, this ends
   * in a CompactionVetoedError.
   */
  veto?: string
  /** Entries and parts that are neither pruned nor summarized, as far as there is room for them. */
  keep?: readonly (Seq | Ref)[]
  /** The summary itself, if the plan is to make one: it is checked like a model's. */
  summary?: string
}
