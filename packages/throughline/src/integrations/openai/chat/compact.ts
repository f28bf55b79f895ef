import { chatShape } from './shape.ts'
import { compactNatives, type CompactResult } from '../../shapes/compact-natives.ts'
import { markedNativesIn } from '../../shapes/shape.ts'
import type { CompactLogOptions } from '../../../session/once/compact-log.ts'
import type { ChatMessage } from './types.ts'

/**
 * Compacts messages of Chat Completions if their request would not fit the window, and gives
 * messages of the same type. What is not touched comes back as the same objects, with every field
 * that it has. System and developer messages stay.
 *
 * An array that this function gave back, and that has only grown since, is compacted with all that
 * is known of what it replaced, as long as the process lives. {@link openChat} keeps it.
 * @throws ContextFloorError if not even the least context fits the window.
 * @throws MessageConversionError if the messages hold what cannot be said again, and where.
 * @example
 * const { messages: shorter } = await compactChat(messages, { window: { context: 128_000 }, tools })
 */
export async function compactChat<M extends ChatMessage>(
  messages: readonly M[],
  options: CompactLogOptions,
): Promise<CompactResult<M>> {
  const { pairs, ...rest } = await compactNatives(chatShape, messages, options)
  // What is new among them is plain text, in shapes that every message type has.
  return { ...rest, messages: markedNativesIn(pairs) as M[] }
}
