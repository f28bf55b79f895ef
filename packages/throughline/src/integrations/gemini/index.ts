export { fromContents, toContents } from './convert.ts'
export { openGemini } from './open-gemini.ts'
export { usageOf as contentUsage } from '../../wires/gemini/wire.ts'
export { MessageConversionError } from '../../wires/errors.ts'
export { PendingCallsError } from '../conversation/conversation.ts'
export type { GeminiContent } from '../../wires/gemini/read-parts.ts'
export type { GeminiResponse } from './open-gemini.ts'
export type {
  Conversation,
  Exchange,
  FitOptions,
  SendRequest,
} from '../conversation/conversation.ts'
