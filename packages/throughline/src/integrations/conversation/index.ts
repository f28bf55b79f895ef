export type { CacheReport } from './cache-report.ts'
export { openConversation, type GivenAnswer } from './open-conversation.ts'
export {
  PendingCallsError,
  type Conversation,
  type Exchange,
  type FitOptions,
  type SendRequest,
} from './conversation.ts'
