import { expect, it } from 'vitest'
import { budgetOf } from './budget.ts'
import { defaultPolicy } from '../policy.ts'
import { modelTokens } from '../../tokens/units.ts'

const window = { context: 100_000 }

function markOf(lowWater: number, fixed: number): number {
  const policy = { ...defaultPolicy, reserved: () => 20_000, lowWater: () => lowWater }
  return budgetOf(policy, window, modelTokens(fixed)).lowWater
}

it('takes a low-water mark at its word, however low', () => {
  for (const mark of [1000, 10_000, 19_000, 40_000]) expect(markOf(mark, 0)).toBe(mark)
  expect(markOf(10_000, 2000)).toBe(10_000)
})

it('sets the mark above a frame that all but reaches it, in the middle of what is left', () => {
  expect(markOf(40_000, 35_000)).toBe(35_000 + 22_500)
  expect(markOf(10_000, 9000)).toBe(9000 + 35_500)
})
