export { openConversation, type GivenAnswer } from './open-conversation.ts'
export { PendingCallsError, type Conversation, type FitOptions } from './conversation.ts'
