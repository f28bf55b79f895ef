import { countOf, fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** The usage of a response; `undefined` if nothing was counted. */
export function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const inputTokens = countOf(usage?.['input_tokens'])
  if (!inputTokens) return undefined
  const cacheReadTokens = countOf(fieldsOf(usage?.['input_tokens_details'])?.['cached_tokens'])
  return {
    inputTokens,
    outputTokens: countOf(usage?.['output_tokens']) ?? 0,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
  }
}

/** Why a response ended, if it wasn't simply complete. */
export function finishOf(response: Fields): FinishReason | undefined {
  const reason = textOf(fieldsOf(response['incomplete_details'])?.['reason'])
  if (reason === 'max_output_tokens') return 'length'
  if (reason === 'content_filter') return 'content-filter'
  switch (response['status']) {
    case 'failed':
      return 'error'
    case 'cancelled':
      return 'aborted'
    default:
      return undefined
  }
}
