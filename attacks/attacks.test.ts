import { expect, it } from 'vitest'
import { whyNotRecorded, type AttackRun } from './attacks.ts'

const runOf = (counts: AttackRun['counts']): AttackRun => {
  return { name: 'killed', seed: 1, size: 'quick', date: '2026-01-01', counts, broken: {} }
}

it('a run that tried less does not take the place of a larger one', () => {
  const onPage = runOf({ writers: 20, entries: 980 })
  expect(whyNotRecorded(runOf({ writers: 4, entries: 500 }), onPage)).toMatch(/504 .* 1000/)
  expect(whyNotRecorded(runOf({}), onPage)).toMatch(/tried 0 things/)
  expect(whyNotRecorded(runOf({ writers: 20, entries: 900 }), onPage)).toBeUndefined()
  expect(whyNotRecorded(runOf({ writers: 40, entries: 9_000 }), onPage)).toBeUndefined()
  expect(whyNotRecorded(runOf({}), undefined)).toBeUndefined()
})
