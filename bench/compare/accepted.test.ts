import { expect, test } from 'vitest'
import { pointsOf, regressions } from './accepted.ts'
import { askedWith, figuresOf } from './hand-made-figures.ts'

test('a figure may fall by a point, and not by more', () => {
  expect(regressions({ rules: 100, trail: 90 }, { rules: 99, trail: 90.5 })).toEqual([])
  expect(regressions({ rules: 100 }, { rules: 98.9 })).toEqual(['rules: was 100, is now 98.9'])
})

test('a figure that is not measured any more has fallen', () => {
  expect(regressions({ rules: 100 }, {})).toEqual(['rules: was 100, is no longer measured'])
})

test('what is held against the accepted run falls with what is kept', () => {
  const points = pointsOf(figuresOf([askedWith('throughline', 0.953)]))
  expect(points).toMatchObject({ 'forward need at 8k': 95.3, 'artifact trail at 8k': 100 })
  const fewer = pointsOf(figuresOf([askedWith('throughline', 0.9)]))
  expect(regressions(points, fewer)).toEqual(['forward need at 8k: was 95.3, is now 90'])
})
