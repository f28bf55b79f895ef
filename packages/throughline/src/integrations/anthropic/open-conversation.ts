import { rememberedAnthropic, settled } from './remembered.ts'
import { breakpointsIn, isSummary, markedAtEnd, mostBreakpoints } from './breakpoints.ts'
import { openConversationOf, type Conversation, type Answer } from '../conversation/conversation.ts'
import { systemText, type SystemPrompt } from './compact.ts'
import { isSame } from '../../match/same.ts'
import {
  clearedTokensOf,
  compactionUsageOf,
  finishOf,
  usageOf,
} from '../../wires/anthropic/wire.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'
import type { SessionOptions } from '../../session/options.ts'
import type { Pair } from '../../wires/wire.ts'

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
    {
      provider: 'anthropic',
      ...options,
      ...(system !== undefined && { system: systemText(system) }),
    },
  )
  // The new messages are plain text, in shapes that every message type has.
  return conversation as unknown as Conversation<M, AnthropicResponse>
}

/** Where the marks of a conversation stand. */
interface CacheMarks {
  /** The pairs with marks where they pay; those of the caller stay and come first. */
  placed: (
    pairs: readonly Pair<AnthropicMessage>[],
    how: { ttl: '5m' | '1h'; elsewhere: number },
  ) => Pair<AnthropicMessage>[]
}

/**
 * The API looks for a hit at most 20 blocks before a mark. So the end of the last request stays
 * marked: what it wrote is found again, however much has come since.
 */
function cacheMarks(): CacheMarks {
  let lastEnd: AnthropicMessage | undefined
  let end: AnthropicMessage | undefined
  return {
    placed(pairs, { ttl, elsewhere }) {
      const natives = pairs.flatMap((pair) => pair.natives)
      const newest = natives.at(-1)
      if (!isSame(newest, end)) [lastEnd, end] = [end, newest]
      const room = mostBreakpoints - elsewhere - breakpointsIn(natives).length
      const mark = { type: 'ephemeral', ...(ttl === '1h' && { ttl }) }
      const last = pairs.findLastIndex(({ natives: each }) =>
        lastEnd ? isSame(each.at(-1), lastEnd) : false,
      )
      // The end of this request first: what it writes is what the next one finds.
      const wanted = [pairs.length - 1, pairs.findLastIndex(isSummary), last]
      const placed = [...pairs]
      let left = room
      for (const index of new Set(wanted)) {
        const marked = left > 0 ? markedAtEnd(placed[index], mark) : undefined
        if (!marked) continue
        placed[index] = marked
        left -= 1
      }
      return placed
    },
  }
}

/** An answer of the Messages API, as far as Throughline reads it: the SDK's `Message`. */
export interface AnthropicResponse {
  content: readonly { type: string }[]
  model: string
  stop_reason: string | null
  usage: object
  /** What the API cleared by itself: `clear_tool_uses_20250919`. */
  context_management?: object | null
}

function answerOf(response: AnthropicResponse): Answer<AnthropicMessage> {
  const { content, model } = response
  const counted = usageOf(response.usage)
  const clearedTokens = clearedTokensOf(response.context_management)
  const usage = counted && clearedTokens > 0 ? { ...counted, clearedTokens } : counted
  return {
    natives: [{ role: 'assistant', content }],
    finish: finishOf(response.stop_reason) ?? 'other',
    model,
    ...(usage && { usage }),
    compactions: compactionUsageOf(response.usage),
  }
}
