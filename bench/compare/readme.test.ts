import { expect, test } from 'vitest'
import { about, askedWith, figuresOf, resultWith } from './hand-made-figures.ts'
import { between, shortReport } from './readme.ts'

const page = 'before\n\n<!-- bench: written by npm run bench -->\nold\n<!-- /bench -->\n\nafter\n'

test('only what stands between the markers is written anew', () => {
  const once = between(page, 'new')
  expect(once).toMatch(/^before\n\n<!-- bench.*-->\n\nnew\n\n<!-- \/bench -->\n\nafter\n$/)
  expect(between(once, 'new')).toBe(once)
})

test('a page without the markers is left alone', () => {
  expect(() => between('nothing here', 'new')).toThrow('README.md has no <!-- bench')
})

test('the short version says who kept more than the budget', () => {
  const result = resultWith('other', 0.7, { kept: { mean: 36_924, most: 150_000 } })
  const text = shortReport(
    figuresOf([
      askedWith('throughline', 0.95),
      askedWith('other', 0.7, { about, atCuts: [result] }),
      askedWith('everything', 1),
    ]),
  )
  expect(text).toMatch(/\| throughline +\| 95.0% +\|/)
  expect(text).toContain('70.0% (kept 36.9k)')
  expect(text).not.toContain('everything')
})
