import { finishOf as finishIn } from '../../wires/ai-sdk/usage.ts'
import type { FinishReason as ModelFinishReason } from 'ai'
import type { FinishReason } from '../../log/entry.ts'

export { usageOf } from '../../wires/ai-sdk/usage.ts'

/** Converts the SDK's finish reason to ours; a broken stream is `other`. */
export function finishOf(reason: ModelFinishReason): FinishReason {
  return finishIn(reason) ?? 'other'
}
