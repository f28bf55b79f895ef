import { anthropicShape, settled } from './shape.ts'
import { breakpointsIn } from './breakpoints.ts'
import { compactNatives, type CompactResult } from '../shapes/compact-natives.ts'
import { markedNativesIn } from '../shapes/shape.ts'
import { systemText, type SystemPrompt } from './request-text.ts'
import type { CompactLogOptions } from '../../session/once/compact-log.ts'
import type { AnthropicMessage } from './types.ts'

/** How messages are compacted; `system` and `tools` as the request has them. */
export interface CompactOptions extends Omit<CompactLogOptions, 'system'> {
  system?: SystemPrompt
}

/**
 * Compacts messages of the Messages API if their request would not fit the window, and gives
 * messages of the same type. What is not touched comes back as the same objects, with every field
 * that it has; thinking is whole, or gone where the messages before it have changed; breakpoints
 * of the prompt cache that would be lost move to the end of the summary.
 *
 * An array that this function gave back, and that has only grown since, is compacted with all that
 * is known of what it replaced, as long as the process lives. {@link openConversation} keeps it.
 * @throws ContextFloorError if not even the least context fits the window.
 * @throws MessageConversionError if the messages hold what cannot be said again, and where.
 * @example
 * const { messages: shorter } = await compact(messages, { window: { context: 200_000 }, system })
 */
export async function compact<M extends AnthropicMessage>(
  messages: readonly M[],
  { system, ...options }: CompactOptions,
): Promise<CompactResult<M>> {
  const { pairs, ...rest } = await compactNatives(anthropicShape, messages, {
    ...options,
    ...(system !== undefined && { system: systemText(system) }),
  })
  const sent = settled(pairs, messages, breakpointsIn([system, options.tools]).length)
  // What is new among them is plain text, in shapes that every message type has.
  return { ...rest, messages: markedNativesIn(sent) as M[] }
}
