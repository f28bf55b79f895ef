import { countOf, fieldsOf, objectsOf } from '../../json/fields.ts'
import type { AgentItem } from '../../wires/openai-agents/item.ts'
import type { Answer } from '../conversation/conversation.ts'
import type { Usage } from '../../log/entry.ts'

/** What a model of the Agents SDK answers, as far as Throughline reads it. */
export interface AgentAnswer {
  output: readonly AgentItem[]
  usage?: object | undefined
}

export function answerOf({ output, usage: given }: AgentAnswer): Answer<AgentItem> {
  const usage = usageOf(given)
  const calls = objectsOf(output).some(({ callId }) => callId !== undefined)
  return { natives: output, finish: calls ? 'tool-calls' : 'stop', ...(usage && { usage }) }
}

function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const inputTokens = countOf(usage?.['inputTokens'])
  if (!inputTokens) return undefined
  const details = usage?.['inputTokensDetails']
  const [detail = fieldsOf(details)] = objectsOf(details)
  const cacheReadTokens = countOf(detail?.['cached_tokens'])
  return {
    inputTokens,
    outputTokens: countOf(usage?.['outputTokens']) ?? 0,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
  }
}
