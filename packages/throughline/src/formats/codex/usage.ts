import { countOf, fieldsOf, type Fields } from '../../json/fields.ts'
import type { Usage } from '../../log/entry.ts'

/** What a `token_count` event says of the last request; `total` tells events apart. */
export interface TokenCount {
  usage: Usage | undefined
  total: number | undefined
  window: number | undefined
}

export function tokenCount(payload: Fields): TokenCount {
  const info = fieldsOf(payload['info'])
  const total = fieldsOf(info?.['total_token_usage'])
  return {
    usage: usageOf(info?.['last_token_usage']),
    total: countOf(total?.['total_tokens']),
    window: countOf(info?.['model_context_window']),
  }
}

function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const inputTokens = countOf(usage?.['input_tokens'])
  if (!inputTokens) return undefined
  const cacheReadTokens = countOf(usage?.['cached_input_tokens'])
  return {
    inputTokens,
    outputTokens: countOf(usage?.['output_tokens']) ?? 0,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
  }
}
