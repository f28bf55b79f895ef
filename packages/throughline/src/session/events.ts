import type { Measurement } from '../compaction/measure/measure.ts'
import type { Dropped } from '../compaction/plan/dropped.ts'
import type { Plan } from '../compaction/plan/plan.ts'
import type { ReasoningRefusal } from '../log/context/kept-reasoning.ts'
import type { DiscardReason } from '../compaction/prepare/prepared.ts'
import type { Attempt, Report } from '../compaction/report.ts'
import type { ModelTokens } from '../tokens/units.ts'
import type { Entry, FinishReason, Seq, Spending, Usage } from '../log/entry.ts'
import type { PluginError } from './plugins/errors.ts'

/** Everything that a session and its loop do, as it happens. Sizes are in tokens of the model. */
export type SessionEvent =
  | { type: 'appended'; entries: readonly Entry[] }
  /**
   * Another process, or another open session of the same name, writes to this one too. What it has
   * said is now in this context as well.
   */
  | { type: 'written-elsewhere'; entries: readonly Entry[] }
  /**
   * The host's messages don't contain what another process has said, so the session went back to
   * before it, to the entry `to`. Two processes at work on one session undo each other's work: give
   * each a session of its own.
   */
  | { type: 'rewound-others'; to: Seq; entries: readonly Entry[] }
  | { type: 'measured'; measurement: Measurement; usable: ModelTokens }
  | { type: 'compaction-started'; plan: Plan }
  | { type: 'compaction-finished'; report: Report }
  | { type: 'compaction-failed'; error: unknown }
  /** A summary is being prepared in the background for a compaction that is coming soon. */
  | { type: 'preparation-started'; plan: Plan }
  | { type: 'preparation-finished'; attempts: readonly Attempt[] }
  /** The compaction will make its own summary; nothing else changes. */
  | { type: 'preparation-failed'; attempts: readonly Attempt[]; error?: unknown }
  /** It was not useful, or is no longer awaited; its cost is in the log, too. */
  | { type: 'preparation-discarded'; reason: DiscardReason; spent: Spending }
  /** Nothing could be made smaller: the context is unchanged. */
  | { type: 'compaction-skipped'; report: Report }
  | { type: 'run-started' }
  | { type: 'step-started'; step: number; tokens: ModelTokens }
  /** A part of the model's stream, in the provider's own shape. */
  | { type: 'part'; part: unknown }
  | { type: 'step-finished'; step: number; finish: FinishReason; usage?: Usage; model?: string }
  /** After an overflow, or where its reasoning was refused, it may start once more. */
  | { type: 'step-failed'; step: number; error: unknown }
  | { type: 'overflow'; limit?: number }
  /**
   * The provider refused reasoning behind a changed context, or a call without it. The request is
   * made again; `dropped` is what the model does not see any more.
   */
  | { type: 'reasoning-refused'; provider: ReasoningRefusal; dropped: Dropped }
  /** The session goes on as if the plugin had said nothing. */
  | { type: 'plugin-failed'; error: PluginError }
  | { type: 'stopped'; reason: StopReason }
  /** The run ends with this error, which is also thrown. */
  | { type: 'run-failed'; error: unknown }

/** Where an event comes from: the same object for all events of one open session. */
export interface EventSource {
  session: string
  model: string | undefined
}

/** Why a run ended. */
export type StopReason =
  /** The model finished. */
  | 'finished'
  /** A call is waiting for its approval or its result. */
  | 'pending'
  | 'aborted'
  /** The model stopped without finishing: at its output limit, or filtered. */
  | 'length'
  | 'content-filter'
  | 'step-limit'
