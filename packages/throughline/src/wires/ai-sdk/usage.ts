import { countOf, fieldsOf, nameOf, type Fields } from '../../json/fields.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/**
 * The usage of a step, in the SDK's words or in those of its providers: `inputTokens` includes
 * cached tokens. `undefined` if nothing was counted, or if a value is not a count.
 */
export function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const input = fieldsOf(usage?.['inputTokens'])
  const output = fieldsOf(usage?.['outputTokens'])?.['total'] ?? usage?.['outputTokens']
  const details = fieldsOf(usage?.['inputTokenDetails'])
  const inputTokens = countOf(input?.['total'] ?? usage?.['inputTokens']) ?? sumOf(details)
  if (!inputTokens) return undefined
  const cacheReadTokens = countOf(
    details?.['cacheReadTokens'] ?? input?.['cacheRead'] ?? usage?.['cachedInputTokens'],
  )
  const cacheWriteTokens = countOf(details?.['cacheWriteTokens'] ?? input?.['cacheWrite'])
  return {
    inputTokens,
    outputTokens: countOf(output) ?? 0,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
  }
}

/** The total input if a provider only reports its parts. */
function sumOf(details: Fields | undefined): number | undefined {
  const counts = [
    details?.['noCacheTokens'],
    details?.['cacheReadTokens'],
    details?.['cacheWriteTokens'],
  ]
    .map(countOf)
    .filter((count) => count !== undefined)
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0)
}

const finishes: ReadonlySet<string> = new Set<FinishReason>([
  'stop',
  'length',
  'content-filter',
  'tool-calls',
  'error',
  'other',
])

export function finishOf(reason: unknown): FinishReason | undefined {
  const name = nameOf(fieldsOf(reason)?.['unified']) ?? nameOf(reason)
  return name !== undefined && isFinish(name) ? name : undefined
}

function isFinish(name: string): name is FinishReason {
  return finishes.has(name)
}
