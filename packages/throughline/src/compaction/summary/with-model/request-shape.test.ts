import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../testing/generate/runs.ts'
import { costOf } from '../../../tokens/prices.ts'
import { answerRoom, chooseShape, type ShapeInput } from './request-shape.ts'
import { modelTokens } from '../../../tokens/units.ts'

const prices = { input: 3, output: 15 }
const minute = 60_000

function asked(
  given: Omit<Partial<ShapeInput>, 'live'> & { live?: Partial<ShapeInput['live']> },
): ShapeInput {
  return {
    head: modelTokens(40_000),
    instruction: modelTokens(700),
    answer: modelTokens(4_000),
    window: { context: 200_000 },
    prices,
    ...given,
    live: { tokens: modelTokens(150_000), now: 10 * minute, cached: undefined, ...given.live },
  }
}

const warm = { tokens: modelTokens(148_000), at: 9 * minute }

describe('the shape of a request for a summary', () => {
  test('is the live conversation where its prefix is in the cache and costs less to read', () => {
    expect(chooseShape(asked({ live: { cached: warm } }))).toBe('live')
    expect(chooseShape(asked({ live: { cached: warm }, head: modelTokens(10_000) }))).toBe('head')
  })

  test('is the head alone where nothing is known of a cache', () => {
    expect(chooseShape(asked({}))).toBe('head')
    expect(chooseShape(asked({ head: modelTokens(150_000) }))).toBe('head')
  })

  test.each([
    ['five minutes old', { tokens: modelTokens(148_000), at: 5 * minute }],
    ['from the future', { tokens: modelTokens(148_000), at: 11 * minute }],
    ['of no known time', { tokens: modelTokens(148_000), at: Number.NaN }],
  ])('is the head alone where the cache is %s', (_, cached) => {
    expect(chooseShape(asked({ live: { cached } }))).toBe('head')
  })

  test('goes by what the prices say of the cache', () => {
    const live = { cached: warm }
    expect(chooseShape(asked({ live, prices: undefined }))).toBe('live')
    expect(chooseShape(asked({ live, prices: { ...prices, cacheRead: 1.5 } }))).toBe('head')
    expect(chooseShape(asked({ live, prices: { ...prices, cacheWrite: 100 } }))).toBe('head')
  })

  test('is the head alone where an answer has no room behind the live conversation', () => {
    const live = { cached: { ...warm, tokens: modelTokens(196_000) }, tokens: modelTokens(197_000) }
    expect(chooseShape(asked({ live }))).toBe('head')
    expect(chooseShape(asked({ live, answer: modelTokens(2_000) }))).toBe('live')
    const window = { context: 400_000, input: 196_000 }
    expect(answerRoom(asked({ live, window }))).toBe(0)
    expect(answerRoom(asked({ window: { context: 200_000, output: 8_000 } }))).toBe(8_000)
  })

  test('never costs more than the other one would, and always fits', () => {
    const amount = fc.integer({ min: 0, max: 300_000 }).map(modelTokens)
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        fc.integer({ min: 0, max: 600_000 }),
        (tokens, head, cachedTokens, age) => {
          const live = { tokens, now: age, cached: { tokens: cachedTokens, at: 0 } }
          const input = asked({ live, head })
          const cached = age < 5 * minute ? Math.min(cachedTokens, tokens) : 0
          const written = tokens - cached + input.instruction
          const behindLive = costOf(
            {
              inputTokens: cached + written,
              cacheReadTokens: cached,
              cacheWriteTokens: written,
              outputTokens: 0,
            },
            prices,
          )
          const ofHead = costOf({ inputTokens: head, outputTokens: 0 }, prices)
          const fits = tokens + input.instruction + input.answer <= input.window.context
          expect(chooseShape(input)).toBe(fits && behindLive < ofHead ? 'live' : 'head')
        },
      ),
      runs(200),
    )
  })
})
