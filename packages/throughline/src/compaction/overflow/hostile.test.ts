import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expectLinear } from '../../testing/growth.ts'
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

it('a body of whatever words, again and again, is read in linear work', async () => {
  const body = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(body, async (words) => {
      const unit = words.join('')
      const reading = (length: number) => {
        const text = unit.repeat(Math.ceil(length / unit.length))
        return () =>
          overflowOf({ message: text, responseBody: text, error: text, cause: { message: text } })
      }
      await expectLinear(reading, { small: 50_000, large: 800_000 })
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
