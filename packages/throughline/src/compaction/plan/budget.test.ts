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
  // A quarter of what is usable beside the frame is enough.
  expect(markOf(40_000, 22_000)).toBe(40_000)
})

it('sets the mark above a frame that all but reaches it, in the middle of what is left', () => {
  expect(markOf(40_000, 35_000)).toBe(35_000 + 22_500)
  expect(markOf(10_000, 9000)).toBe(9000 + 35_500)
})

it('compacts where it costs least if the policy goes by that, and prunes no less than half', () => {
  const policy = { ...defaultPolicy, economy: {} }
  const pace = { growth: modelTokens(800), coldShare: 0.02, isCold: false }
  const paced = { pace, model: 'claude-opus-4-5' }
  const huge = { context: 1_000_000 }
  const plain = budgetOf(defaultPolicy, huge, modelTokens(0), paced)
  expect(plain).not.toHaveProperty('breakEven')
  expect(budgetOf(policy, huge, modelTokens(0))).toEqual(plain)
  const cheap = budgetOf(policy, huge, modelTokens(0), paced)
  expect(cheap.threshold).toBe(cheap.breakEven?.at)
  expect(cheap.threshold).toBeLessThan(plain.threshold)
  const left = cheap.breakEven?.left ?? 0
  expect(cheap.lowWater).toBeLessThanOrEqual(left + (cheap.threshold - left) / 2)
  expect(cheap.keep).toBe(plain.keep)
})
