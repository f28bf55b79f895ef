import { expect, test } from 'vitest'
import { missedGoals } from './goals.ts'
import { seriesTableOf, tableOf } from './table.ts'
import type { Result } from 'throughline/evaluation'

const reached: Result = {
  compactor: 'written',
  keep: 3_000,
  forwardNeed: {
    mean: 1,
    worst: { session: 'here__1', repository: 'here', size: 0, needed: 20, held: 20 },
    cuts: 1,
    repositories: 1,
  },
  kept: { mean: 10, most: 10 },
  over: 0,
  trail: { changed: 1, right: 1, missed: [] },
  invented: [],
  orphans: 0,
  human: { said: 1, held: 1 },
  reReads: { again: 0, spared: 0 },
}

test('each goal that is missed is said in words', () => {
  expect(missedGoals([reached], [])).toEqual([])
  const forgot: Result = {
    ...reached,
    forwardNeed: { ...reached.forwardNeed, mean: 0.5 },
    over: 1,
    trail: { changed: 1, right: 0, missed: ['here__1@0: src/parser.ts'] },
    invented: ['here__1@0: src/unheard-of.ts'],
  }
  const series = [
    { compactor: 'written', keep: 3_000, after: [{ rounds: 5, rules: 0.5, drift: 1 }] },
  ]
  expect(missedGoals([forgot], series).join('\n')).toMatch(
    /forward need at 3k: 50.0%[^]*src\/parser.ts[^]*unheard-of[^]*over the cap[^]*rules at 3k after 5/,
  )
})

test('a person reads every figure in the tables', () => {
  expect(tableOf([reached])).toMatch(/written +\| 3k .*100% +\| 100% here__1 at 0k +\| 1 of 1/)
  const series = {
    compactor: 'written',
    keep: 8_000,
    after: [{ rounds: 20, rules: 0.25, drift: 0.5 }],
  }
  expect(seriesTableOf([series])).toMatch(/written +\| 8k +\| 20 +\| 25.0% +\| 50.0%/)
})
