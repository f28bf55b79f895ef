import { alternate } from './alternate.ts'
import { readMessages } from './read-messages.ts'
import { remembering, type RememberingShape } from '../shapes/twins.ts'
import { settleBreakpoints } from './breakpoints.ts'
import { writeMessages } from './write-messages.ts'
import type { Pair, Shape } from '../shapes/shape.ts'
import type { AnthropicMessage } from './types.ts'

/** The Messages API as it is, with nothing remembered. */
export const anthropicMessages: Shape<AnthropicMessage> = {
  read: readMessages,
  write: writeMessages,
}

/** The Messages API, with what has been read and written in this process remembered. */
export const anthropicShape: RememberingShape<AnthropicMessage> = remembering(anthropicMessages)

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
    made.has(pair) ? pair : anthropicShape.remember(pair),
  )
}
