import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { takeOffWrapped } from './wrapped.ts'

const names = ['note', 'hint']

test('elements in front and behind are taken off, and nothing else', () => {
  expect(
    takeOffWrapped('<note>a</note>\nDo it.\n\n<hint x="1">b</hint>\n<note>c</note>', names),
  ).toEqual([
    { wrapped: true, text: '<note>a</note>' },
    { wrapped: false, text: '\nDo it.' },
    { wrapped: true, text: '\n\n<hint x="1">b</hint>' },
    { wrapped: true, text: '\n<note>c</note>' },
  ])
})

test.each([
  'What is <note>a</note>?',
  'No <note> here',
  'See <note>a</note>',
  '<notes>a</notes> b',
  '',
])('an element that the human quotes stays theirs: %j', (text) => {
  expect(takeOffWrapped(text, names)).toEqual([{ wrapped: false, text }])
})

test('a text of nothing but elements has no stretch of the human', () => {
  const stretches = takeOffWrapped(' <note>a</note> \n<note>b</note>\n', names)
  expect(stretches.filter(({ text }) => text.trim() !== '')).toHaveLength(2)
  expect(stretches.every(({ wrapped }) => wrapped)).toBe(true)
})

test('the stretches joined are the text', () => {
  const pieces = fc.constantFrom(
    '<note>',
    '</note>',
    '<hint>',
    '</hint>',
    'text',
    '\n',
    ' ',
    '<',
    '>',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      expect(
        takeOffWrapped(text, names)
          .map((stretch) => stretch.text)
          .join(''),
      ).toBe(text)
    }),
  )
})
