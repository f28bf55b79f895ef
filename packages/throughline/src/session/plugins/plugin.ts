import type { AfterSummary, BeforeCompaction } from '../../compaction/hooks/hooks.ts'
import type { ToolLens } from '../../facts/lens.ts'
import type { Section, Template } from '../../compaction/summary/template.ts'
import type { Continuation, Ref, Seq } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'
import type { EventSource, SessionEvent } from '../events.ts'

/**
 * An extension of a session. If several plugins answer, the first answer counts; a hook that has
 * nothing to say returns `undefined`. A plugin that throws or returns something unusable is
 * ignored, and a `plugin-failed` event reports it.
 */
export interface Plugin {
  name: string
  /** Tools whose results are never pruned. */
  protectedTools?: readonly string[]
  /** How to read tools that Throughline doesn't know; they take precedence over its own lenses. */
  lenses?: readonly ToolLens[]
  /** A whole template; any core sections it leaves out are added back. */
  template?: () => Template | undefined
  /** Extra sections after those of the active template. */
  sections?: readonly Section[]
  /** Called before a context is pruned or summarized. Nothing has changed yet. */
  beforeCompact?: (
    request: BeforeCompaction,
  ) => CompactAnswer | undefined | Promise<CompactAnswer | undefined>
  /** Returns another summary, which is checked and repaired again before it is committed. */
  afterSummary?: (request: AfterSummary) => string | undefined | Promise<string | undefined>
  /** Replaces the continuation, removes it with `null`, or leaves it with `undefined`. */
  continuation?: (
    proposed: Continuation | null,
    units: readonly Unit[],
  ) => Continuation | null | undefined
  /** Called with everything that the session does. Must not change the event. */
  onEvent?: (event: SessionEvent, source: EventSource) => void
}

export interface CompactAnswer {
  /**
   * Why there must be no compaction now. If the next request doesn't fit without one, the
   * compaction ends with a CompactionVetoedError.
   */
  veto?: string
  /** Entries and parts that are neither pruned nor summarized, if they fit. */
  keep?: readonly (Seq | Ref)[]
  /** The summary itself, if the plan is to make one; it is checked like a model's. */
  summary?: string
}
