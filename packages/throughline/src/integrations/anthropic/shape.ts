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

/** What is sent with its breakpoints in order; `elsewhere` is how many system and tools have. */
export function withBreakpoints(
  sent: readonly Pair<AnthropicMessage>[],
  came: readonly AnthropicMessage[],
  elsewhere: number,
): Pair<AnthropicMessage>[] {
  return settleBreakpoints(sent, came, elsewhere).map((pair, index) =>
    pair === sent[index] ? pair : anthropicShape.remember(pair),
  )
}
