import { chatMessages } from './messages.ts'
import { remembering, type RememberingShape } from '../../shapes/twins.ts'
import type { ChatMessage } from './types.ts'

/** Chat Completions, with what has been read and written in this process remembered. */
export const chatShape: RememberingShape<ChatMessage> = remembering(chatMessages)
