import { fieldsOf, listOf, textOf } from '../../json/fields.ts'
import { finishOf as chatFinish, usageOf as chatUsage } from '../../wires/openai-chat/usage.ts'
import { usageOf as anthropicUsage } from '../../wires/anthropic/usage.ts'
import { usageOf as responsesUsage } from '../../wires/openai-responses/usage.ts'
import type { Answer } from '../conversation/conversation.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'
import type { LlamaIndexMessage } from '../../wires/llamaindex/message.ts'

/** What a model of LlamaIndex answers, and what its provider said. */
export interface LlamaIndexAnswer {
  message: LlamaIndexMessage
  raw: unknown
}

export function answerOf({ message, raw }: LlamaIndexAnswer): Answer<LlamaIndexMessage> {
  const calls = listOf(fieldsOf(message.options)?.['toolCall']).length > 0
  const usage = usageIn(raw)
  return {
    natives: [message],
    finish: finishIn(raw) ?? (calls ? 'tool-calls' : 'stop'),
    ...(usage && { usage }),
  }
}

/** LlamaIndex has no usage of its own, only what each provider says. */
function usageIn(raw: unknown): Usage | undefined {
  const usage = fieldsOf(raw)?.['usage']
  const fields = fieldsOf(usage)
  if (!fields) return undefined
  if (fields['prompt_tokens'] !== undefined) return chatUsage(usage)
  const isAnthropic = fields['cache_read_input_tokens'] !== undefined
  return isAnthropic ? anthropicUsage(usage) : responsesUsage(usage)
}

function finishIn(raw: unknown): FinishReason | undefined {
  const choice = fieldsOf(listOf(fieldsOf(raw)?.['choices'])[0])
  const reason = textOf(choice?.['finish_reason'])
  return reason === undefined ? undefined : chatFinish(reason)
}
