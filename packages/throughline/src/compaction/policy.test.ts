import { describe, expect, it } from 'vitest'
import { defaultPolicy, policyFor } from './policy.ts'

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
