import fc from 'fast-check'
import { expect, it } from 'vitest'
import { overflowOf, overflowWords } from './overflow.ts'
import { runs } from '../../testing/generate/runs.ts'

const pieces = [
  ...overflowWords.map(({ message }) => message.slice(0, message.search(/\d/) + 1 || undefined)),
  ...overflowWords.map(({ message }) => message),
  '1',
  '1,',
  ' ',
  '\n',
  '"',
  '`',
  '` ',
  '{',
  '{"error":',
  '{}\n',
  `message': "`,
]

function timeOf(text: string): number {
  const started = performance.now()
  overflowOf({ message: text, responseBody: text, error: text, cause: { message: text } })
  return performance.now() - started
}

it('a body of whatever words, again and again, is read in linear time', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 3 }), (words) => {
      const unit = words.join('')
      const times = (length: number): string => unit.repeat(Math.ceil(length / unit.length))
      timeOf(times(50_000))
      // Sixteen times the text; quadratic code would take 256 times the time.
      const small = timeOf(times(50_000))
      expect(timeOf(times(800_000))).toBeLessThan(Math.max(small * 100, 1_000))
    }),
    runs(60),
  )
})

it('an error that holds itself, or itself as text in text, comes to an end', () => {
  const circle: Record<string, unknown> = { message: 'x' }
  circle['cause'] = circle
  circle['errors'] = [circle, circle]
  expect(overflowOf(circle)).toBeUndefined()
  let nested = 'prompt is too long'
  for (let depth = 0; depth < 12; depth++) nested = JSON.stringify({ error: nested })
  expect(overflowOf(nested)).toBeUndefined()
})

it('whatever is thrown, nothing is thrown at it', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (value) => {
      overflowOf(value)
      overflowOf({ message: value, error: value, cause: [value], code: value, n_ctx: value })
    }),
    runs(300),
  )
})
