import { describe, expect, test } from 'vitest'
import { usageOf } from './usage.ts'
import type { LanguageModelUsage } from 'ai'

type SdkUsage = LanguageModelUsage

function usage(
  inputTokens: number | undefined,
  outputTokens?: number,
  details: Partial<SdkUsage['inputTokenDetails']> = {},
): SdkUsage {
  const none = { noCacheTokens: undefined, cacheReadTokens: undefined, cacheWriteTokens: undefined }
  return {
    inputTokens,
    outputTokens,
    totalTokens: undefined,
    inputTokenDetails: { ...none, ...details },
    outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
  }
}

describe('usageOf', () => {
  test('counts cached input once', () => {
    expect(usageOf(usage(100, 7, { cacheReadTokens: 80, cacheWriteTokens: 5 }))).toEqual({
      inputTokens: 100,
      outputTokens: 7,
      cacheReadTokens: 80,
      cacheWriteTokens: 5,
    })
  })

  test('adds the parts up where there is no total', () => {
    const parts = { noCacheTokens: 10, cacheReadTokens: 80 }
    expect(usageOf(usage(undefined, undefined, parts))).toEqual({
      inputTokens: 90,
      outputTokens: 0,
      cacheReadTokens: 80,
    })
  })

  test('has nothing where nothing was counted, or what was said is no count', () => {
    for (const input of [undefined, 0, -1, Number.NaN, Infinity]) {
      expect(usageOf(usage(input, 5))).toBeUndefined()
    }
  })
})
