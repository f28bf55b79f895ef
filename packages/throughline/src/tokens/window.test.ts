import { expect, test } from 'vitest'
import { ThroughlineError } from '../log/throughline-error.ts'
import { InvalidWindowError, reservedTokens, usableTokens } from './window.ts'

test('the answer gets 20,000 tokens, but never more than a quarter', () => {
  expect(reservedTokens({ context: 200_000 })).toBe(20_000)
  expect(reservedTokens({ context: 8_000 })).toBe(2_000)
  expect(reservedTokens({ context: 400_000, input: 16_000 })).toBe(4_000)
  expect(reservedTokens({ context: 200_000 }, 30_000)).toBe(30_000)
})

test('usable is the window less what is reserved', () => {
  expect(usableTokens({ context: 200_000 })).toBe(180_000)
  expect(usableTokens({ context: 8_000 })).toBe(6_000)
  expect(usableTokens({ context: 200_000 }, 0)).toBe(200_000)
})

test('a limit on input counts where it is the smaller', () => {
  expect(usableTokens({ context: 400_000, input: 272_000, output: 128_000 })).toBe(252_000)
  expect(usableTokens({ context: 200_000, input: 300_000 })).toBe(180_000)
})

test('more reserved than there is leaves nothing, not less', () => {
  expect(usableTokens({ context: 8_000 }, 20_000)).toBe(0)
})

test.each([
  { context: Number.NaN },
  { context: 0 },
  { context: -1 },
  { context: Number.POSITIVE_INFINITY },
  { context: undefined as unknown as number },
  { context: '8000' as unknown as number },
  { context: 8_000, input: 0 },
  { context: 8_000, output: Number.NaN },
  undefined as never,
])('a window of %j is refused with what was wrong', (window) => {
  expect(() => usableTokens(window)).toThrow(InvalidWindowError)
  expect(() => usableTokens(window)).toThrow(/window's (context|input|output) is/)
})

test('so is a reserve that is no number', () => {
  for (const reserved of [Number.NaN, -1, Number.POSITIVE_INFINITY]) {
    try {
      usableTokens({ context: 8_000 }, reserved)
      expect.unreachable()
    } catch (error) {
      expect(ThroughlineError.isInstance(error)).toBe(true)
      expect(error).toMatchObject({ code: 'INVALID_WINDOW', field: 'reserved', value: reserved })
    }
  }
})
