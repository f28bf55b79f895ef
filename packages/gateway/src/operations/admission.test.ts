import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { createAdmission } from './admission.ts'
import { teamConfig } from './config.ts'

const sha256 = createHash('sha256').update('sk-1').digest('hex')

it('what a key has spent on one day does not count on the next one', () => {
  let now = Date.UTC(2026, 10, 22, 23, 59)
  const config = teamConfig({ keys: [{ name: 'mine', sha256, tokensPerDay: 100 }] })
  const admission = createAdmission(
    () => config,
    () => now,
  )
  const asked = { path: '/v1/models', headers: { 'x-api-key': 'sk-1' }, search: '' }
  const [policy] = config.keys as [(typeof config.keys)[number]]
  admission.spent(policy, 99)
  expect(admission.admit(asked)).not.toHaveProperty('status')
  admission.spent(policy, 100)
  expect(admission.admit(asked)).toMatchObject({ status: 429, type: 'budget_spent', again: 60 })
  now += 60_000
  expect(admission.admit(asked)).not.toHaveProperty('status')
})
