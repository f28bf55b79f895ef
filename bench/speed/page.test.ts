import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isMet, reasons, speedPage, type SpeedRecord } from './page.ts'

const read = (name: string): string =>
  readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
const recorded = JSON.parse(read('speed.json')) as SpeedRecord

it('the page on speed is computed from the recorded figures', () => {
  expect(read('speed.md')).toBe(speedPage(recorded))
})

it('every figure with a goal stands beside the best that could be done', () => {
  const rows = recorded.parts.flatMap((part) => part.rows)
  const bare = rows.filter(({ goal, limit, unit }) => goal && !limit && unit !== '%')
  expect(rows.length).toBeGreaterThan(0)
  expect(bare).toEqual([])
})

it('every missed goal has its reason on the page', () => {
  const rows = recorded.parts.flatMap((part) => part.rows)
  const missed = rows.filter((row) => !isMet(row)).map(({ what }) => what.trim())
  const untold = missed.filter(
    (what) => !reasons.some(({ of }) => of.some((row) => row.test(what))),
  )
  expect(untold).toEqual([])
})

it('a missed goal is told as missed', () => {
  const figure = { median: 6, min: 5, max: 7 }
  const row = { what: 'a plan', figure, unit: '×' }
  const page = (most: number): string => {
    const rows = [{ ...row, goal: { most } }]
    return speedPage({ ...recorded, parts: [{ name: 'plan', ended: '', load: 1, rows }] })
  }
  expect(page(5)).toMatch(/\| ≤ 5 +\| \*\*missed\*\* \|/)
  expect(page(6)).not.toContain('**missed**')
})
