import { countOf, fieldsOf } from '../../json/fields.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** The API's usage with all input in one number; `undefined` if nothing was counted. */
export function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const uncached = countOf(usage?.['input_tokens']) ?? 0
  const read = countOf(usage?.['cache_read_input_tokens'])
  const written = countOf(usage?.['cache_creation_input_tokens'])
  const inputTokens = uncached + (read ?? 0) + (written ?? 0)
  const outputTokens = countOf(usage?.['output_tokens']) ?? 0
  if (inputTokens === 0) return undefined
  return {
    inputTokens,
    outputTokens,
    ...(read !== undefined && { cacheReadTokens: read }),
    ...(written !== undefined && { cacheWriteTokens: written }),
  }
}

const finishes: ReadonlyMap<unknown, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
  ['pause_turn', 'other'],
])

export function finishOf(stopReason: unknown): FinishReason | undefined {
  return finishes.get(stopReason)
}
