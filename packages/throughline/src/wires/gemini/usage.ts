import { countOf, fieldsOf } from '../../json/fields.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** The usage of an answer; `undefined` if nothing was counted. */
export function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const inputTokens = countOf(usage?.['promptTokenCount'])
  if (!inputTokens) return undefined
  const cacheReadTokens = countOf(usage?.['cachedContentTokenCount'])
  const said = countOf(usage?.['candidatesTokenCount']) ?? 0
  return {
    inputTokens,
    outputTokens: said + (countOf(usage?.['thoughtsTokenCount']) ?? 0),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
  }
}

const filtered: ReadonlySet<string | undefined> = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
])

export function finishOf(reason: string | undefined): FinishReason {
  if (reason === 'STOP') return 'stop'
  if (reason === 'MAX_TOKENS') return 'length'
  return filtered.has(reason) ? 'content-filter' : 'other'
}
