import { costOf } from 'throughline/engine'
import type { ModelPrices } from './charging.ts'
import type { Answered } from '../server/answer-request.ts'

/** What a request would have had more, had it gone out as its client sent it. */
export interface Saving {
  tokens: number
  /** `undefined` where nobody knows the prices. */
  dollars: number | undefined
}

/**
 * What an answered request has saved: as many tokens more as its client’s bytes are more than those that
 * were sent, with the same share of them from the provider’s cache.
 */
export function savingOf({ usage, bytes }: Answered, prices: ModelPrices | undefined): Saving {
  if (!usage || !bytes || bytes.sent >= bytes.own) return { tokens: 0, dollars: 0 }
  const times = bytes.own / bytes.sent
  const { inputTokens, cacheReadTokens, cacheWriteTokens } = usage
  const whole = {
    ...usage,
    inputTokens: inputTokens * times,
    ...(cacheReadTokens !== undefined && { cacheReadTokens: cacheReadTokens * times }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens: cacheWriteTokens * times }),
  }
  return {
    tokens: Math.round(whole.inputTokens - inputTokens),
    dollars: prices && costOf(whole, prices) - costOf(usage, prices),
  }
}
