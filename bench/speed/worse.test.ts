import { expect, it } from 'vitest'
import { worseThan } from './worse.ts'
import type { Row } from './tell.ts'

const row = (what: string, [min, median, max]: [number, number, number], more = {}): Row => ({
  what,
  figure: { min, median, max },
  unit: '×',
  ...more,
})
const part = (...rows: Row[]) => ({ name: 'plan', ended: '', load: 0, rows })
const recorded = (...rows: Row[]) => ({
  machine: 'any',
  parts: [part(...rows)],
  profiles: { cold: [], open: [] },
})

it('a ratio is worse when its best round is behind the worst on record', () => {
  const before = recorded(row('a plan', [10, 12, 14]), row('an append', [0.5, 0.6, 0.7]))
  const least = { goal: { least: 0.8 } }
  expect(worseThan(before, [part(row('a plan', [13, 20, 30]))])).toEqual([])
  expect(worseThan(before, [part(row('a plan', [15, 20, 30]))])).toEqual([
    { what: 'a plan', before: 12, now: 20 },
  ])
  expect(worseThan(before, [part(row('an append', [0.8, 0.9, 1], least))])).toEqual([])
  expect(worseThan(before, [part(row('an append', [0.1, 0.2, 0.3], least))])).toMatchObject([
    { now: 0.2 },
  ])
})

it('what was not measured before, and what has no anchor, is not held against anything', () => {
  const before = recorded(row('a stall', [1, 1, 1], { unit: 'ms' }))
  const now = [part(row('a stall', [9, 9, 9], { unit: 'ms' }), row('new', [9, 9, 9]))]
  expect(worseThan(before, now)).toEqual([])
})
