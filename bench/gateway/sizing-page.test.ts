import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { goalsOf, type GatewayFigures } from './figures.ts'
import { needsOf } from './needs.ts'
import { sizingPage } from './sizing-page.ts'

const docs = new URL('../../docs/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, docs), 'utf8')
const figures = JSON.parse(read('gateway-speed.json')) as GatewayFigures

it('the page on sizing is computed from the recorded figures', () => {
  expect(existsSync(new URL('gateway-sizing.md', docs))).toBe(true)
  expect(read('gateway-sizing.md')).toBe(sizingPage(figures))
})

it('a missed goal is told as missed', () => {
  const [first] = figures.throughput
  if (!first) throw new Error('no throughput')
  const slow = { ...first, share: { ...first.share, off: { median: 0.4, min: 0.3, max: 0.5 } } }
  const all = { ...figures, throughput: [slow] }
  expect(goalsOf(all).find(({ what }) => what.startsWith('throughput'))?.met).toBe(false)
  expect(sizingPage(all)).toMatch(/\| 0\.40 +\| \*\*missed\*\*/)
})

it('twice as many agents need twice as many processors, and as much for each replica', () => {
  const fleet = { agents: 10_000, every: 30, streams: 20, busy: 0.6 }
  const one = needsOf(figures, fleet)
  const two = needsOf(figures, { ...fleet, agents: 20_000 })
  expect(two.processors.requests).toBeCloseTo(one.processors.requests * 2)
  expect(two.replicas).toBeGreaterThanOrEqual(one.replicas * 2 - 1)
  expect(two.memory / one.memory).toBeCloseTo(1, 1)
})
