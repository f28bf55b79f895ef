import { describe, expect, it } from 'vitest'
import { coldCache, type CacheState } from './cold-cache.ts'
import { defaultPolicy, policyFor } from './policy.ts'
import { presets } from './presets.ts'

describe('the policy for a model', () => {
  const policy = {
    ...defaultPolicy,
    models: { 'own-large': { attempts: 1 }, own: { attempts: 2 }, large: { attempts: 3 } },
  }

  it('is that of the longest name that its own begins with', () => {
    expect(policyFor(policy, 'own-large-2')).toEqual({ ...policy, attempts: 1 })
    expect(policyFor(policy, 'own-small')).toEqual({ ...policy, attempts: 2 })
    const turned = { ...policy, models: { own: { attempts: 2 }, 'own-large': { attempts: 1 } } }
    expect(policyFor(turned, 'own-large')).toEqual({ ...turned, attempts: 1 })
  })

  it('is the policy itself where no name fits, or no model is known', () => {
    expect(policyFor(policy, 'other-large')).toBe(policy)
    expect(policyFor(policy, undefined)).toBe(policy)
    expect(policyFor(defaultPolicy, 'own')).toBe(defaultPolicy)
  })
})

it('a small summary by a model has no room for names, a larger one a tenth', () => {
  expect([2_000, 8_000].map(defaultPolicy.names)).toEqual([0, 800])
})

it('the shares of what is usable are those that the design names', () => {
  const { threshold, prepareAt, lowWater, keep, standing } = defaultPolicy
  const shares = (usable: number): number[] =>
    [threshold, prepareAt, lowWater, keep, standing].map((share) => share(usable))
  expect(shares(100_000)).toEqual([100_000, 70_000, 50_000, 20_000, 25_000])
  expect(shares(20_000)).toEqual([20_000, 14_000, 10_000, 8_000, 5_000])
  expect(shares(5_000)).toEqual([5_000, 3_500, 2_500, 4_000, 1_250])
  const { seed, economic } = presets
  expect([seed.prepareAt, seed.lowWater, seed.keep].map((share) => share(9_000))).toEqual([
    9_000, 9_000, 9_000,
  ])
  expect([economic.prepareAt(9_000), economic.lowWater(9_000)]).toEqual([4_500, 4_500])
})

it('the economic preset keeps as much as the default', () => {
  for (const usable of [9_000, 48_000, 180_000]) {
    expect(presets.economic.keep(usable)).toBe(presets.default.keep(usable))
  }
})

it('the seeds reserve 20,000 tokens, or a quarter of a window that would leave too little', () => {
  const reserved = (context: number): number => presets.seed.reserved({ context })
  expect([200_000, 24_000, 23_999, 8_000].map(reserved)).toEqual([20_000, 20_000, 5_999, 2_000])
})

it('a cache is cold for another model, after five minutes, and sooner in another process', () => {
  const after = (seconds: number | undefined, state: Partial<CacheState> = {}) =>
    coldCache({
      idle: seconds === undefined ? undefined : seconds * 1_000,
      resumed: false,
      otherModel: false,
      ...state,
    })
  expect([undefined, 0, 300, 301].map((idle) => after(idle))).toEqual([
    undefined,
    undefined,
    undefined,
    'gap',
  ])
  const resumed = [undefined, 0, 120, 121, 301].map((idle) => after(idle, { resumed: true }))
  expect(resumed).toEqual([undefined, undefined, undefined, 'resume', 'gap'])
  expect(after(undefined, { otherModel: true })).toBe('other-model')
})
