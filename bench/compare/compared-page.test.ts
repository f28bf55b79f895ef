import { expect, test } from 'vitest'
import { about, askedWith, figuresOf, resultWith } from './hand-made-figures.ts'
import { between, shortReport } from './compared-page.ts'

const page = 'before\n\n<!-- bench: written by npm run bench -->\nold\n<!-- /bench -->\n\nafter\n'

test('only what stands between the markers is written anew', () => {
  const once = between(page, 'new')
  expect(once).toMatch(/^before\n\n<!-- bench.*-->\n\nnew\n\n<!-- \/bench -->\n\nafter\n$/)
  expect(between(once, 'new')).toBe(once)
})

test('a page without the markers is left alone', () => {
  expect(() => between('nothing here', 'new')).toThrow('docs/compared.md has no <!-- bench')
})

test('the short version says what each keeps, and how many tokens it took for that', () => {
  const result = resultWith('other', 0.7, { kept: { mean: 36_924, most: 150_000 } })
  const text = shortReport(
    figuresOf([
      askedWith('throughline', 0.95),
      askedWith('other', 0.7, { about, atCuts: [result] }),
      askedWith('everything', 1),
    ]),
  )
  expect(text).toMatch(/\| throughline +\| - +\| 95.0% +\| 7,000 +\|/)
  expect(text).toMatch(/\| other +\| - +\| 70.0% +\| 36,924 +\|/)
  expect(text).not.toContain('everything')
})
