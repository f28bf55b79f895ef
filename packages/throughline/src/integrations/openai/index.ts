export { compactChat } from './chat/compact.ts'
export { openChat } from './chat/open-chat.ts'
export { fromChatMessages, toChatMessages } from './chat/compact.ts'
export { compactInput } from './responses/compact.ts'
export { openResponses } from './responses/open-responses.ts'
export { fromInputItems, toInputItems } from './responses/compact.ts'
export { usageOf as chatUsage } from '../../wires/openai-chat/wire.ts'
export { usageOf as responseUsage } from '../../wires/openai-responses/read.ts'
export { openaiSummarizer } from './summarizer.ts'
export { openaiCompactor } from './responses/compactor.ts'
export { MessageConversionError } from '../../wires/errors.ts'
export { PendingCallsError } from '../conversation/conversation.ts'
export type { ChatMessage } from '../../wires/openai-chat/message.ts'
export type { ChatResponse } from './chat/open-chat.ts'
export type { ResponsesItem } from '../../wires/openai-responses/calls.ts'
export type { OpenAICompactionClient, OpenAICompactorOptions } from './responses/compactor.ts'
export type { ResponsesResponse } from './responses/open-responses.ts'
export type { CompactResult } from '../conversation/compact-natives.ts'
export type {
  Conversation,
  Exchange,
  FitOptions,
  SendRequest,
} from '../conversation/conversation.ts'
export type { OpenAIClient, OpenAISummarizerOptions } from './summarizer.ts'
