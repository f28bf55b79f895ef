import { rememberedChat } from './open-chat.ts'
import { compactNatives } from '../../conversation/compact-natives.ts'
import { markedNativesIn, messagesIn, nativesIn } from '../../../wires/wire.ts'
import { openaiChatWire } from '../../../wires/openai-chat/wire.ts'
import type { CompactResult } from '../../conversation/compact-natives.ts'
import type { CompactLogOptions } from '../../../session/once/compact-log.ts'
import type { ChatMessage } from '../../../wires/openai-chat/message.ts'
import type { Message } from '../../../log/message.ts'

/**
 * Compacts messages of Chat Completions if their request would not fit the window, and returns
 * messages of the same type. Unchanged messages come back as the same objects, with all of their
 * fields. System and developer messages stay.
 *
 * If an array that this function returned has only grown since, the next compaction still knows
 * everything that the array replaced, as long as the process lives. {@link openChat} keeps it
 * permanently.
 * @throws ContextFloorError if even the smallest possible context doesn't fit the window.
 * @throws MessageConversionError if the messages contain something that can't be converted back; it
 * says where.
 * @example
 * const { messages: shorter } = await compactChat(messages, { window: { context: 128_000 }, tools })
 */
export async function compactChat<M extends ChatMessage>(
  messages: readonly M[],
  options: CompactLogOptions,
): Promise<CompactResult<M>> {
  const { pairs, ...rest } = await compactNatives(rememberedChat, messages, options)
  // The new messages are plain text, in shapes that every message type has.
  return { ...rest, messages: markedNativesIn(pairs) as M[] }
}

/**
 * Converts messages of Chat Completions to messages of a session without loss: `toChatMessages`
 * converts them back.
 * @throws MessageConversionError if they contain something that JSON can't represent; it says
 * where.
 * @example
 * fromChatMessages([{ role: 'user', content: 'hi' }]) // [{ role: 'user', content: 'hi' }]
 */
export function fromChatMessages(params: readonly ChatMessage[]): Message[] {
  return messagesIn(openaiChatWire.read(params))
}

/**
 * Converts messages of a session to messages of Chat Completions.
 * @throws MessageConversionError if the API has no counterpart for a part; it says where.
 * @example
 * toChatMessages<ChatCompletionMessageParam>(session.messages())
 */
export function toChatMessages<M extends ChatMessage = ChatMessage>(
  messages: readonly Message[],
): M[] {
  return nativesIn(openaiChatWire.write(messages)) as M[]
}
