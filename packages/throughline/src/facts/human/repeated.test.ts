import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldRepeated, unfoldRepeated } from './repeated.ts'

const folded = (...texts: string[]): string[] =>
  foldRepeated(texts.map((text) => ({ text }))).map(({ text }) => text)

test('messages that count up, or say the same again and again, are told as one', () => {
  expect(folded('Start.', 'Do step 1.', 'Do step 2.', 'Do step 3.', 'Stop.')).toEqual([
    'Start.',
    'Do step 1. (and so on to 3)',
    'Stop.',
  ])
  expect(folded('go on', 'go on', 'go on', 'go on')).toEqual(['go on (4 times in a row)'])
})

test.each([
  [['Do step 1.', 'Do step 2.']],
  [['Do step 1.', 'Do step 3.', 'Do step 7.']],
  [['Skip 5 and 7.', 'Skip 6 and 8.', 'Skip 7 and 9.']],
  [['Do 1.', 'Test 2.', 'Do 3.']],
])('%j stay as they are', (texts) => {
  expect(folded(...texts)).toEqual(texts)
})

test('what was folded comes back as it was', () => {
  const start = fc.integer({ min: 1, max: 900 })
  const words = fc.constantFrom('Go on with #.', 'Step # now', '#', 'Fix issue # please')
  fc.assert(
    fc.property(start, fc.integer({ min: 3, max: 40 }), words, (from, count, text) => {
      const all = Array.from({ length: count }, (_, at) => text.replace('#', `${from + at}`))
      const told = folded(...all)
      expect(told).toHaveLength(1)
      expect(unfoldRepeated(told[0] as string)).toEqual(all)
    }),
  )
  expect(unfoldRepeated('go on (4 times in a row)')).toEqual(['go on'])
  expect(unfoldRepeated('Do 5. (and so on to 2)')).toEqual(['Do 5. (and so on to 2)'])
  expect(unfoldRepeated('Do it.')).toEqual(['Do it.'])
})
