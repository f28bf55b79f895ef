import { countOf, fieldsOf } from '../../json/fields.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** The usage of a completion; `undefined` if nothing was counted. */
export function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const inputTokens = countOf(usage?.['prompt_tokens'])
  if (!inputTokens) return undefined
  const details = fieldsOf(usage?.['prompt_tokens_details'])
  const cacheReadTokens =
    countOf(details?.['cached_tokens']) ?? countOf(usage?.['prompt_cache_hit_tokens'])
  const cacheWriteTokens = countOf(usage?.['cache_creation_input_tokens'])
  return {
    inputTokens,
    outputTokens: countOf(usage?.['completion_tokens']) ?? 0,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
  }
}

const finishes: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
])

export function finishOf(reason: unknown): FinishReason | undefined {
  return finishes.get(reason)
}
