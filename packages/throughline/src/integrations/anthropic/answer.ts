import { finishOf, usageOf } from '../../wires/anthropic/usage.ts'
import type { Answer } from '../conversation/conversation.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'

/** An answer of the Messages API, as far as Throughline reads it: the SDK's `Message`. */
export interface AnthropicResponse {
  content: readonly { type: string }[]
  model: string
  stop_reason: string | null
  usage: object
}

export function answerOf(response: AnthropicResponse): Answer<AnthropicMessage> {
  const { content, model } = response
  const usage = usageOf(response.usage)
  return {
    natives: [{ role: 'assistant', content }],
    finish: finishOf(response.stop_reason) ?? 'other',
    model,
    ...(usage && { usage }),
  }
}
