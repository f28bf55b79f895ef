import { countOf } from '../json/fields.ts'
import type { Usage } from '../log/entry.ts'

/** What a provider counted, in any of its words: what is no count is left out. */
interface Counted {
  /** All input, that of the cache too. */
  input: unknown
  output: unknown
  cacheRead?: unknown
  cacheWrite?: unknown
}

/** The usage of an answer; `undefined` if no input was counted. */
export function usageFrom({ input, output, cacheRead, cacheWrite }: Counted): Usage | undefined {
  const inputTokens = countOf(input)
  if (!inputTokens) return undefined
  const cacheReadTokens = countOf(cacheRead)
  const cacheWriteTokens = countOf(cacheWrite)
  return {
    inputTokens,
    outputTokens: countOf(output) ?? 0,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
  }
}
