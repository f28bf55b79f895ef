export { openConversation, type GivenAnswer } from './open-conversation.ts'
export {
  PendingCallsError,
  type Conversation,
  type Exchange,
  type SendRequest,
} from './conversation.ts'
