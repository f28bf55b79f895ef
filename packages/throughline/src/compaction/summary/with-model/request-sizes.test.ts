import { expect, test } from 'vitest'
import { answerLimit, readingRoom } from './request-shape.ts'
import { estimatedTokens, modelTokens } from '../../../tokens/units.ts'

test('an answer may be as large as its budget in real tokens, and never endless', () => {
  const window = { context: 200_000 }
  expect(answerLimit(estimatedTokens(2_000), { window, ratio: 1 })).toBe(2_500 + 8_192)
  expect(answerLimit(estimatedTokens(2_000), { window, ratio: 1.3 })).toBe(3_250 + 8_192)
  expect(
    answerLimit(estimatedTokens(2_000), { window: { context: 200_000, output: 8_000 }, ratio: 1 }),
  ).toBe(8_000)
  expect(answerLimit(estimatedTokens(14_000), { window: { context: 8_000 }, ratio: 1 })).toBe(4_000)
})

test('what is read leaves room for the answer and for what stands beside it', () => {
  const beside = { answer: modelTokens(10_000), beside: estimatedTokens(1_000) }
  expect(readingRoom({ window: { context: 110_000 }, ratio: 1 }, beside)).toBe(89_000)
  expect(readingRoom({ window: { context: 110_000 }, ratio: 2 }, beside)).toBe(44_000)
  const window = { context: 400_000, input: 20_000 }
  expect(readingRoom({ window, ratio: 1 }, beside)).toBe(17_000)
  expect(readingRoom({ window: { context: 5_000 }, ratio: 1 }, beside)).toBeLessThan(0)
})
