/**
 * Throughline inside a client that keeps its own messages: a session over its log, a context in its
 * own message objects, and the tools that its agent may call.
 *
 * @packageDocumentation
 */
export { openHosted, type HostedSession, type HostedSessionOptions } from './hosted-session.ts'
export { project, type HostForms } from '../compaction/render/project.ts'
export {
  compactDescription,
  compactInputSchema,
  compactReply,
  type CompactionAsked,
  type CompactReply,
} from '../session/agent/compact-tool.ts'
export { foldDescription, foldInputSchema, foldReply } from '../session/agent/fold-tool.ts'
export { pinDescription, pinInputSchema, pinReply } from '../session/agent/pin-tool.ts'
export { headSummarizer, type HeadQuestion } from '../integrations/conversation/head-summarizer.ts'
export {
  contextEngine,
  type Assembled,
  type AssembleRequest,
  type ContextEngine,
  type ContextEngineOptions,
  type EngineCompacted,
  type EngineCompaction,
  type NextCompaction,
  type Turn,
} from './context-engine/context-engine.ts'
export type { EngineMessage } from './context-engine/additions.ts'
