import { expect, test } from 'vitest'
import { costOf } from './prices.ts'

const prices = { input: 3, output: 15 }

test('a usage costs its input and its output', () => {
  expect(costOf({ inputTokens: 100_000, outputTokens: 1_000 }, prices)).toBeCloseTo(0.315)
})

test('cached input costs a tenth to read and a quarter more to write, unless prices say otherwise', () => {
  const usage = {
    inputTokens: 1_000_000,
    outputTokens: 0,
    cacheReadTokens: 800_000,
    cacheWriteTokens: 100_000,
  }
  expect(costOf(usage, prices)).toBeCloseTo(0.3 + 0.24 + 0.375)
  expect(costOf(usage, { ...prices, cacheRead: 1, cacheWrite: 2 })).toBeCloseTo(0.3 + 0.8 + 0.2)
})

test('a provider that counts more cached tokens than input is paid for those alone', () => {
  expect(costOf({ inputTokens: 10, outputTokens: 0, cacheReadTokens: 1_000 }, prices)).toBeCloseTo(
    0.0003,
  )
})
