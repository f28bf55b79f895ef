import { countOf, fieldsOf } from '../../json/fields.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** The tokens of one reply; pi counts cached input apart. */
export function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const read = countOf(usage?.['cacheRead']) ?? 0
  const written = countOf(usage?.['cacheWrite']) ?? 0
  const inputTokens = (countOf(usage?.['input']) ?? 0) + read + written
  if (inputTokens === 0) return undefined
  const outputTokens = countOf(usage?.['output']) ?? 0
  return { inputTokens, outputTokens, cacheReadTokens: read, cacheWriteTokens: written }
}

const finishes: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['toolUse', 'tool-calls'],
  ['length', 'length'],
])

export function finishOf(stopReason: unknown): FinishReason | undefined {
  return finishes.get(stopReason)
}
