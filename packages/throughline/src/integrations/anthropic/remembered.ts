import { alternate } from '../../wires/anthropic/alternate.ts'
import { anthropicWire } from '../../wires/anthropic/wire.ts'
import { remembering, type RememberingWire } from '../../wires/remembering/remembering.ts'
import { settleBreakpoints } from './breakpoints.ts'
import type { Pair } from '../../wires/wire.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'

/** The Messages API, with what has been read and written in this process remembered. */
export const rememberedAnthropic: RememberingWire<AnthropicMessage> = remembering(anthropicWire)

/**
 * What is sent with roles in turn and breakpoints in order; `elsewhere` is how many of these system
 * and tools have.
 */
export function settled(
  sent: readonly Pair<AnthropicMessage>[],
  came: readonly AnthropicMessage[],
  elsewhere: number,
): Pair<AnthropicMessage>[] {
  const made = new Set(sent)
  return settleBreakpoints(alternate(sent, came), came, elsewhere).map((pair) =>
    made.has(pair) ? pair : rememberedAnthropic.remember(pair),
  )
}
