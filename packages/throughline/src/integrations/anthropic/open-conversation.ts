import { answerOf, type AnthropicResponse } from './answer.ts'
import { rememberedAnthropic, settled } from './remembered.ts'
import { breakpointsIn } from './breakpoints.ts'
import { cacheMarks } from './cache-marks.ts'
import { openConversationOf, type Conversation } from '../conversation/conversation.ts'
import { systemText, type SystemPrompt } from './compact.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'
import type { SessionOptions } from '../../session/options.ts'

/** A session's options; `system` and `tools` as in the request. */
export interface ConversationOptions extends Omit<SessionOptions, 'system'> {
  system?: SystemPrompt
  /**
   * Marks where the provider's prompt cache pays: at the end of the summary, of the last request and
   * of this one, as far as the API's four marks reach with those in `system`, `tools` and your own
   * messages. `1h` keeps the prompt longer, at a higher price.
   */
  cache?: '5m' | '1h'
}

/**
 * A conversation over `@anthropic-ai/sdk` whose whole log is stored in a session: you can send the
 * same array again and again, and it always fits. You make the requests yourself.
 * @example
 * const conversation = await openConversation<MessageParam>({ store, id: 'a', window, system, tools })
 * const { response, messages: all } = await conversation.send(messages, (messages) =>
 *   client.messages.create({ model, max_tokens: 8_000, system, tools, messages }),
 * )
 */
export async function openConversation<M extends AnthropicMessage = AnthropicMessage>({
  system,
  cache,
  ...options
}: ConversationOptions): Promise<Conversation<M, AnthropicResponse>> {
  const elsewhere = breakpointsIn([system, options.tools]).length
  const marks = cacheMarks()
  const conversation = await openConversationOf(
    {
      wire: rememberedAnthropic,
      answer: answerOf,
      settle: (sent, came) => {
        const pairs = settled(sent, came, elsewhere)
        return cache ? marks.placed(pairs, { ttl: cache, elsewhere }) : pairs
      },
    },
    { ...options, ...(system !== undefined && { system: systemText(system) }) },
  )
  // The new messages are plain text, in shapes that every message type has.
  return conversation as unknown as Conversation<M, AnthropicResponse>
}
