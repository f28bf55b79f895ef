import { rememberedAnthropic, settled } from './remembered.ts'
import { breakpointsIn } from './breakpoints.ts'
import { compactNatives, type CompactResult } from '../conversation/compact-natives.ts'
import { markedNativesIn } from '../../wires/wire.ts'
import type { CompactLogOptions } from '../../session/once/compact-log.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'

/** How messages are compacted; `system` and `tools` as in the request. */
export interface CompactOptions extends Omit<CompactLogOptions, 'system'> {
  system?: SystemPrompt
}

/**
 * Compacts messages of the Messages API if their request would not fit the window, and returns
 * messages of the same type. Unchanged messages come back as the same objects, with all of their
 * fields. Thinking is kept whole, or removed if the messages before it have changed. Prompt cache
 * breakpoints that would be lost move to the end of the summary.
 *
 * If an array that this function returned has only grown since, the next compaction still knows
 * everything that the array replaced, as long as the process lives. {@link openConversation} keeps
 * it permanently.
 * @throws ContextFloorError if even the smallest possible context doesn't fit the window.
 * @throws MessageConversionError if the messages contain something that can't be converted back; it
 * says where.
 * @example
 * const { messages: shorter } = await compact(messages, { window: { context: 200_000 }, system })
 */
export async function compact<M extends AnthropicMessage>(
  messages: readonly M[],
  { system, ...options }: CompactOptions,
): Promise<CompactResult<M>> {
  const { pairs, ...rest } = await compactNatives(rememberedAnthropic, messages, {
    ...options,
    ...(system !== undefined && { system: systemText(system) }),
  })
  const sent = settled(pairs, messages, breakpointsIn([system, options.tools]).length)
  // The new messages are plain text, in shapes that every message type has.
  return { ...rest, messages: markedNativesIn(sent) as M[] }
}

/** A system prompt as the Messages API takes it. */
export type SystemPrompt =
  | string
  | readonly {
      type: 'text'
      text: string
      /** Where the provider's cache ends: it counts as one of its four marks. */
      cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' } | null
    }[]

export function systemText(system: SystemPrompt): string {
  return typeof system === 'string' ? system : system.map(({ text }) => text).join('\n\n')
}
