import { rememberedChat } from './open-chat.ts'
import { compactNatives, type CompactResult } from '../../conversation/compact-natives.ts'
import { markedNativesIn } from '../../../wires/wire.ts'
import type { CompactLogOptions } from '../../../session/once/compact-log.ts'
import type { ChatMessage } from '../../../wires/openai-chat/message.ts'

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
