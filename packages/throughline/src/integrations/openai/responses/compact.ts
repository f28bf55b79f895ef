import { compactNatives, type CompactResult } from '../../shapes/compact-natives.ts'
import { markedNativesIn } from '../../shapes/shape.ts'
import { responsesShape } from './shape.ts'
import type { CompactLogOptions } from '../../../session/once/compact-log.ts'
import type { ResponsesItem } from './types.ts'

/**
 * Compacts the input of the Responses API if its request would not fit the window, and gives items
 * of the same type. What is not touched comes back as the same objects, with every field that it
 * has. Developer messages stay, and so do compactions of the provider's. Where what stood before
 * an answer has changed, its reasoning is left out whole, and with it the ids that need it.
 *
 * The whole conversation must be there, as with `store: false`: with `previous_response_id` it
 * lies at OpenAI, where it cannot be compacted. An array that this function gave back, and that has
 * only grown since, is compacted with all that is known of what it replaced, as long as the process
 * lives. {@link openResponses} keeps it.
 * @throws ContextFloorError if not even the least context fits the window.
 * @throws MessageConversionError if the input holds what cannot be said again, and where.
 * @example
 * const { messages: shorter } = await compactInput(input, { window: { context: 400_000 }, tools })
 */
export async function compactInput<Item extends ResponsesItem>(
  input: readonly Item[],
  options: CompactLogOptions,
): Promise<CompactResult<Item>> {
  const { pairs, ...rest } = await compactNatives(responsesShape, input, options)
  // What is new among them is plain text, in shapes that every item type has.
  return { ...rest, messages: markedNativesIn(pairs) as Item[] }
}
