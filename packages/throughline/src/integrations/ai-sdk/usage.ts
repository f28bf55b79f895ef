import type { LanguageModelUsage, FinishReason as ModelFinishReason } from 'ai'
import type { Usage, FinishReason } from '../../log/entry.ts'

/**
 * The SDK's usage as ours: `inputTokens` has cached ones in it. `undefined` where the provider
 * counted nothing, or said something that is no count.
 * @example
 * usageOf(step.usage)?.inputTokens
 */
export function usageOf(usage: LanguageModelUsage): Usage | undefined {
  const { inputTokenDetails: details } = usage
  const inputTokens = countOf(usage.inputTokens) ?? sumOf(details)
  if (inputTokens === undefined || inputTokens === 0) return undefined
  const cacheReadTokens = countOf(details?.cacheReadTokens)
  const cacheWriteTokens = countOf(details?.cacheWriteTokens)
  return {
    inputTokens,
    outputTokens: countOf(usage.outputTokens) ?? 0,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
  }
}

/** The input where a provider gives only its parts. */
function sumOf(details: LanguageModelUsage['inputTokenDetails'] | undefined): number | undefined {
  const counts = [details?.noCacheTokens, details?.cacheReadTokens, details?.cacheWriteTokens]
    .map(countOf)
    .filter((count) => count !== undefined)
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0)
}

function countOf(value: number | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** The SDK's finish reason as ours; a stream that broke off is `other`. */
export function finishOf(reason: ModelFinishReason): FinishReason {
  return reason === 'interrupted' ? 'other' : reason
}
