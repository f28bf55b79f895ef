export { compact } from './compact.ts'
export { openConversation } from './open-conversation.ts'
export { toMessageParams, toMessages } from './compact.ts'
export { usageOf as messageUsage } from '../../wires/anthropic/wire.ts'
export { anthropicSummarizer } from './summarizer.ts'
export { anthropicCompactor } from './compactor.ts'
export { MessageConversionError } from '../../wires/errors.ts'
export { PendingCallsError } from '../conversation/conversation.ts'
export type { AnthropicMessage } from '../../wires/anthropic/message.ts'
export type { AnthropicCompactionClient, AnthropicCompactorOptions } from './compactor.ts'
export type { AnthropicResponse } from './open-conversation.ts'
export type { CompactOptions } from './compact.ts'
export type { CompactResult } from '../conversation/compact-natives.ts'
export type {
  Conversation,
  Exchange,
  FitOptions,
  SendRequest,
} from '../conversation/conversation.ts'
export type { ConversationOptions } from './open-conversation.ts'
export type { SystemPrompt } from './compact.ts'
export type { AnthropicClient, AnthropicSummarizerOptions } from './summarizer.ts'
