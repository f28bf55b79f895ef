import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { expectedOf, type Growth } from './growth.ts'
import { scalePage, type ScaleRecord } from './page.ts'

const docs = new URL('../../docs/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, docs), 'utf8')

const growth = (figures: readonly number[]): Growth => ({
  of: 'sessions',
  wanted: 1_000,
  points: figures.map((ms, at) => ({ size: 10 ** at, figures: { ms } })),
  ofAll: ['ms'],
})

it('the page on scale is computed from the recorded figures', () => {
  expect(read('scale.md')).toBe(scalePage(JSON.parse(read('scale.json')) as ScaleRecord))
})

it('what looks at everything goes on as it grew last', () => {
  expect(expectedOf(growth([5, 10, 100]), 'ms')).toBe(100 + 900)
  expect(expectedOf(growth([90, 3, 3]), 'ms')).toBe(3)
})

it('what became less is not expected to vanish', () => {
  expect(expectedOf(growth([1, 4, 2]), 'ms')).toBe(2)
})
