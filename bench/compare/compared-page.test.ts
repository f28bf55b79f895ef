import { expect, test } from 'vitest'
import type { FactsKept } from 'throughline/evaluation'
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

test('the short version compares each with what Throughline keeps in as many tokens', () => {
  const result = resultWith('other', 0.7, { kept: { mean: 36_924, most: 150_000 } })
  const kept = (stated: number, tokens: number): FactsKept => {
    const kinds = [{ kind: 'decision' as const, stated, of: 1 }]
    const missed = stated === 1 ? [] : [fact]
    return { case: 'a', session: 'a', compactor: 'other', keep: 8_000, tokens, kinds, missed }
  }
  const fact = { id: 'a', kind: 'decision' as const, fact: 'a', where: 'a', keys: [], within: 1 }
  const other = { about, atCuts: [result], facts: [[kept(0, 36_924)]], inAsMany: [kept(1, 36_900)] }
  const text = shortReport(
    figuresOf([
      askedWith('throughline', 0.95),
      askedWith('other', 0.7, other),
      askedWith('everything', 1),
    ]),
  )
  expect(text).toMatch(/\| other +\| 36,924 +\| 0% +\| 100% +\|/)
  expect(text).not.toContain('everything')
})

test('where there are no exams, names are compared at one budget', () => {
  const text = shortReport(
    figuresOf([
      askedWith('throughline', 0.95),
      askedWith('other', 0.7, { about, atCuts: [resultWith('other', 0.7)] }),
    ]),
  )
  expect(text).toMatch(/\| other +\| 7,000 +\| 70.0% +\| 95.0% +\|/)
})
