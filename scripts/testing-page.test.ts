import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { figuresIn } from './format-figures.ts'
import { testingPage } from './testing-page.ts'

it('docs/testing.md is what the recorded runs say (npm run mutants -- --page writes it anew)', () => {
  expect(readFileSync(new URL('../docs/testing.md', import.meta.url), 'utf8')).toBe(testingPage())
})

it('a figure takes the place of an older one, and of no other', () => {
  const before = [
    { format: 'pi', fuzzed: { records: 1, date: '2026-01-01' } },
    { format: 'codex', roundTrip: { sessions: 2, date: '2026-01-01' } },
  ]
  const lines =
    '{"what":"fuzzed","format":"codex","count":10}\n{"what":"fuzzed","format":"pi","count":9}\n'
  expect(figuresIn(lines, '2026-02-02', before)).toEqual([
    {
      format: 'codex',
      roundTrip: { sessions: 2, date: '2026-01-01' },
      fuzzed: { records: 10, date: '2026-02-02' },
    },
    { format: 'pi', fuzzed: { records: 9, date: '2026-02-02' } },
  ])
})
