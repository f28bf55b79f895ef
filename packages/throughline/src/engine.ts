/**
 * The parts that a session is built from, for those who build something else from them: views of the
 * log, facts, measuring, planning, cutting, rendering, and their types.
 *
 * **Unstable**: a name here may change or go in any minor release. What `throughline` itself exports
 * does not.
 *
 * @packageDocumentation
 */
export { logOf } from './session/once/log-of-messages.ts'
export { reconcile } from './session/reconcile/reconcile.ts'
export { overflowOf } from './compaction/overflow/overflow.ts'
export { holderOf, leakOf, redactLeak } from './session/operations/leak.ts'
export { planCompaction } from './compaction/plan/plan-compaction.ts'
export { explainPlan } from './compaction/plan/explain-plan.ts'
export { compact } from './compaction/compact.ts'
export { renderContext } from './compaction/render/render.ts'
export { summaryRoleOf } from './compaction/render/summary-block.ts'
export { alternateRoles } from './compaction/render/project.ts'
export { measure } from './compaction/measure/measure.ts'
export { promptPieces } from './compaction/measure/prompt-pieces.ts'
export { defaultTemplate, chooseTemplate } from './compaction/summary/template.ts'
export { summarizeLocally } from './compaction/summary/local/summarize-locally.ts'
export { summaryProblems } from './compaction/summary/check.ts'
export { repairSummary } from './compaction/summary/repair.ts'
export { factsOf, advanceFacts, emptyFacts } from './facts/facts-of.ts'
export { chronological } from './log/order.ts'
export { contextOf, advanceContext, emptyContext } from './log/context/context.ts'
export { historyOf, advanceHistory, emptyHistory } from './log/history.ts'
export { latest } from './log/context/trusted-usage.ts'
export { readRef, ref, parseRef } from './log/ref.ts'
export { unitsOf } from './log/steps.ts'
export { assistantText } from './log/message.ts'
export { estimateTokens } from './tokens/estimate.ts'
export { createMessageCounter } from './tokens/message-tokens.ts'
export { costMeter, costOfRequests } from './tokens/session-cost.ts'
export { parseTokens, formatTokens } from './tokens/windows.ts'
export { usableTokens } from './tokens/window.ts'
export { costOf, pricesOf } from './tokens/prices.ts'
export type * from './log/message.ts'
export type * from './log/entry.ts'
export type { Context } from './log/context/context.ts'
export type * from './log/context/context-item.ts'
export type * from './log/steps.ts'
export type { Chronological, ModelOrder } from './log/order.ts'
export type { History } from './log/history.ts'
export type { Latest } from './log/context/trusted-usage.ts'
export type { CompactedLog, CompactLogOptions } from './session/once/compact-log.ts'
export type { CompactRequest } from './session/session.ts'
export type { ForkOptions } from './session/operations/fork.ts'
export type { StepOptions } from './session/loop/loop.ts'
export type { Overflow } from './compaction/overflow/overflow.ts'
export type { OverflowReason } from './session/errors.ts'
export type { EventSource, StopReason } from './session/events.ts'
export type {
  AppendCondition,
  Rewriting,
  Search,
  Selection,
  StoredSession,
} from './session/store.ts'
export type { RecallAnswer } from './session/recall/answer.ts'
export type { RecallOptions } from './session/recall/question.ts'
export { RefSourceError } from './session/recall/errors.ts'
export type { QuestionProblem } from './session/recall/errors.ts'
export type { FindSource } from './session/recall/follow-ref.ts'
export type { Source } from './log/entry.ts'
export type { Passage } from './session/recall/passage.ts'
export type { RecallQuestion } from './session/recall/question.ts'
export type { RecallReply } from './session/recall/reply.ts'
export type { Holder, Leak } from './session/operations/leak.ts'
export type { CompactionEntry } from './session/operations/undo.ts'
export type { CompactAnswer } from './session/plugins/plugin.ts'
export type { PluginHook } from './session/plugins/errors.ts'
export type { AfterSummary, BeforeCompaction } from './compaction/hooks/hooks.ts'
export type { Budget } from './compaction/plan/budget.ts'
export { TimeLimitError } from './compaction/errors.ts'
export { InvalidEntryError } from './log/invalid-entry-error.ts'
export type { Floor } from './compaction/errors.ts'
export type { Compaction, CompactOptions } from './compaction/compaction.ts'
export type { DiscardReason, Prepared } from './compaction/prepare/prepared.ts'
export type {
  Plan,
  PlanInput,
  PlanToLeave,
  PlanToPrune,
  PlanToSummarize,
} from './compaction/plan/plan.ts'
export type { Trigger } from './compaction/trigger.ts'
export type { PlannedCut } from './compaction/cut/planned-cut.ts'
export type { PlannedItem } from './compaction/plan/explain-plan.ts'
export type { Attempt, Rung } from './compaction/report.ts'
export type { Counter } from './tokens/counter.ts'
export type { Measurement, RequestFrame } from './compaction/measure/measure.ts'
export type { PiecesOf, Prompt } from './compaction/measure/prompt-pieces.ts'
export type { Cut, CutInput, CutStrategy } from './compaction/cut/cut.ts'
export type { PruneAloneStrategy, PruneWeighed } from './compaction/plan/prune-pays.ts'
export type {
  PruneCandidate,
  PruneInput,
  Pruning,
  PruneStrategy,
} from './compaction/prune/prune.ts'
export type { ContinuationStrategy } from './compaction/continuation/continuation.ts'
export type { TranscriptInput, TranscriptStrategy } from './compaction/summary/transcript.ts'
export type { SummaryRole } from './compaction/render/summary-block.ts'
export type { Section, Template } from './compaction/summary/template.ts'
export type {
  LiveRequest,
  SummaryAnswer,
  SummaryCall,
} from './compaction/summary/with-model/summarizer.ts'
export type * from './facts/facts.ts'
export type { Effect, LensCall } from './facts/lens.ts'
export type {
  CacheOptions,
  CostMeter,
  PricedRequest,
  PromptPiece,
  SessionCost,
} from './tokens/session-cost.ts'
export type { Prices } from './tokens/price-table.ts'
export type { CountTokens } from './tokens/message-tokens.ts'
export { counterOf } from './tokens/counter.ts'
export { estimatedTokens, modelTokens, toEstimated, toModel } from './tokens/units.ts'
export type { EstimatedTokens, ModelTokens } from './tokens/units.ts'
export type { CircuitBreaker } from './compaction/summary/with-model/circuit-breaker.ts'
export type { Dropped } from './compaction/plan/dropped.ts'
export type { ProviderAnswer, ProviderRequest } from './compaction/provider/provider-compactor.ts'
