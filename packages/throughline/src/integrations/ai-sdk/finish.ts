import type { FinishReason as ModelFinishReason } from 'ai'
import type { FinishReason } from '../../log/entry.ts'

/** The SDK's finish reason as ours; a stream that broke off is `other`. */
export function finishOf(reason: ModelFinishReason): FinishReason {
  return reason === 'interrupted' ? 'other' : reason
}
