import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { attacksIn, figuresIn } from './format-figures.ts'
import { securityPage } from './security-page.ts'
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

it('docs/security.md is what the recorded runs say', () => {
  expect(readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8')).toBe(securityPage())
})

it('figures of attacks add up, and take the place of older ones', () => {
  const before = {
    kills: { count: 5, date: '2026-01-01' },
    other: { count: 1, date: '2026-01-01' },
  }
  const lines =
    '{"what":"kills","count":2}\n{"what":"fuzzed","format":"pi","count":9}\n{"what":"kills","count":1}\n'
  expect(attacksIn(lines, '2026-02-02', before)).toEqual({
    kills: { count: 3, date: '2026-02-02' },
    other: { count: 1, date: '2026-01-01' },
  })
})
