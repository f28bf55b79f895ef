/**
 * Throughline inside a client that keeps its own messages: a session over its log, a context in its
 * own message objects, and the tools that its agent may call.
 *
 * @packageDocumentation
 */
export {
  compactDescription,
  compactInputSchema,
  compactReply,
  type CompactionAsked,
} from '../session/agent/compact-tool.ts'
export { headSummarizer, type HeadQuestion } from '../integrations/conversation/head-summarizer.ts'
export { contextEngine, type ContextEngine } from './context-engine/context-engine.ts'
