import { expect, it } from 'vitest'
import { nearest } from './nearest.ts'

const names = ['compact', 'replay', 'inspect']

it.each([
  ['compcat', 'compact'],
  ['comapct', 'compact'],
  ['Inspect', 'inspect'],
  ['repaly', 'replay'],
  ['insp', 'inspect'],
])('takes %s for %s', (word, meant) => {
  expect(nearest(word, names)).toBe(meant)
})

it.each(['summarize', 'x', '', 'c'.repeat(100_000)])('guesses nothing for %.20s', (word) => {
  expect(nearest(word, names)).toBeUndefined()
})
