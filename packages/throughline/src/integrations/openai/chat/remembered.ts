import { openaiChatWire } from '../../../wires/openai-chat/wire.ts'
import { remembering, type RememberingWire } from '../../../wires/remembering/remembering.ts'
import type { ChatMessage } from '../../../wires/openai-chat/message.ts'

/** Chat Completions, with what has been read and written in this process remembered. */
export const rememberedChat: RememberingWire<ChatMessage> = remembering(openaiChatWire)
