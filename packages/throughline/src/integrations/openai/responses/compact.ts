import { compactNatives, type CompactResult } from '../../conversation/compact-natives.ts'
import { markedNativesIn } from '../../../wires/wire.ts'
import { rememberedResponses } from './open-responses.ts'
import type { CompactLogOptions } from '../../../session/once/compact-log.ts'
import type { ResponsesItem } from '../../../wires/openai-responses/calls.ts'

/**
 * Compacts the input of the Responses API if its request would not fit the window, and returns
 * items of the same type. Unchanged items come back as the same objects, with all of their fields.
 * Developer messages stay, and so do the provider's own compactions. If the content before an
 * answer has changed, its reasoning is removed whole, together with the ids that need it.
 *
 * The whole conversation must be passed in, as with `store: false`: with `previous_response_id`, it
 * is stored at OpenAI, where it can't be compacted. If an array that this function returned has
 * only grown since, the next compaction still knows everything that the array replaced, as long as
 * the process lives. {@link openResponses} keeps it permanently.
 * @throws ContextFloorError if even the smallest possible context doesn't fit the window.
 * @throws MessageConversionError if the input contains something that can't be converted back; it
 * says where.
 * @example
 * const { messages: shorter } = await compactInput(input, { window: { context: 400_000 }, tools })
 */
export async function compactInput<Item extends ResponsesItem>(
  input: readonly Item[],
  options: CompactLogOptions,
): Promise<CompactResult<Item>> {
  const { pairs, ...rest } = await compactNatives(rememberedResponses, input, options)
  // The new items are plain text, in shapes that every item type has.
  return { ...rest, messages: markedNativesIn(pairs) as Item[] }
}
