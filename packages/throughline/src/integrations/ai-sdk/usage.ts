import { finishOf as finishIn } from '../../wires/ai-sdk/read-parts.ts'
import { RetryError, type FinishReason as ModelFinishReason } from 'ai'
import type { FinishReason } from '../../log/entry.ts'

export { usageOf } from '../../wires/ai-sdk/read-parts.ts'

/** Converts the SDK's finish reason to ours; a broken stream is `other`. */
export function finishOf(reason: ModelFinishReason): FinishReason {
  return finishIn(reason) ?? 'other'
}

/** The provider's own error: after retries, the SDK wraps it in one of its own. */
export function providerError(error: unknown): unknown {
  return RetryError.isInstance(error) ? (error.lastError ?? error) : error
}
