/**
 * Sessions that fit their model's window: the store, the loop, compaction, policies, plugins, errors.
 * What they are built from is in `throughline/engine`.
 *
 * @packageDocumentation
 */
export { compactLog } from './session/once/compact-log.ts'
export { compactMessages } from './session/once/compact-messages.ts'
export { continuationMark } from './compaction/render/continuation-mark.ts'
export { openSession } from './session/session.ts'
export { forkSession } from './session/operations/fork.ts'
export { definePlugin } from './session/plugins/define-plugin.ts'
export { run } from './session/loop/loop.ts'
export { recall } from './session/recall/recall.ts'
export { recallDescription, recallInputSchema, recallReply } from './session/recall/reply.ts'
export { memoryStore } from './stores/memory.ts'
export { defaultPolicy } from './compaction/policy.ts'
export { presets } from './compaction/presets.ts'
export { partsOf } from './log/message.ts'
export { messageText, outputText, partText } from './log/message.ts'
export { windowOf } from './tokens/windows.ts'
export { ThroughlineError } from './log/throughline-error.ts'
export {
  CompactionVetoedError,
  ContextFloorError,
  PinBudgetError,
  SummaryFailedError,
} from './compaction/errors.ts'
export {
  NothingToUndoError,
  OverflowError,
  PinNotFoundError,
  SessionExistsError,
  SessionNotFoundError,
  StoreConflictError,
} from './session/errors.ts'
export type {
  AssistantMessage,
  Message,
  Part,
  TextPart,
  ToolCallPart,
  ToolMessage,
  ToolOutput,
} from './log/message.ts'
export type { Entry, EntryDraft, EntryOf, Seq, Usage } from './log/entry.ts'
export type { CompactedMessages } from './session/once/compact-messages.ts'
export type { SessionOptions } from './session/session.ts'
export type { RunResult, RunStep } from './session/loop/loop.ts'
export type { SessionEvent } from './session/events.ts'
export type { Store } from './session/store.ts'
export type { Plugin } from './session/plugins/plugin.ts'
export type { Policy } from './compaction/policy.ts'
export type { Report } from './compaction/report.ts'
export type { Summarizer, SummaryRequest } from './compaction/summary/with-model/summarizer.ts'
export type { Window } from './tokens/window.ts'
export type { Session } from './session/session.ts'
