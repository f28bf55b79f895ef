import { expect, test } from 'vitest'
import { priceTable } from './price-table.ts'
import { costOf, pricesOf } from './prices.ts'

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

test('the prices of a model do not depend on how its name is written', () => {
  for (const model of [
    'claude-sonnet-4-5',
    'claude-sonnet-4-5-20250929',
    'anthropic/claude-sonnet-4.5',
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  ]) {
    expect(pricesOf(model)).toEqual({ input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 })
  }
  expect(pricesOf('gemini-2.5-pro-preview-05-06')?.input).toBe(1.25)
  expect(pricesOf('gpt-5-2025-08-07')?.input).toBe(1.25)
  expect(pricesOf('gpt-5.2')?.input).toBe(1.75)
  expect(pricesOf('o4-mini')?.output).toBe(4.4)
})

test.each([
  'gpt-5-pro',
  'gpt-5.9',
  'gpt-5.4-mini',
  'claude-sonnet-4-7',
  'grok-4-fast',
  'llama',
  '',
])('nothing is said of %j, of which no prices are known', (model) => {
  expect(pricesOf(model)).toBeUndefined()
})

test('every row of the table is found by its own name, and says where it is from', () => {
  for (const { model, prices, source, read } of priceTable) {
    expect(pricesOf(model.replaceAll(' ', '-'))).toEqual(prices)
    expect(source).not.toBe('')
    expect(read).toMatch(/^20\d\d-\d\d$/)
    expect(prices.cacheRead ?? 0).toBeLessThan(prices.input)
    expect(prices.output).toBeGreaterThan(prices.input)
  }
})
