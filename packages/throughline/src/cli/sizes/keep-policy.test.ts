import { expect, test } from 'vitest'
import { defaultPolicy } from '../../compaction/policy.ts'
import { estimatedTokens } from '../../tokens/units.ts'
import { policyKeeping } from './keep-policy.ts'
import type { CutInput } from '../../compaction/cut/cut.ts'

test('pictures take no more than the tail, where the user says how much to keep', () => {
  const seen: number[] = []
  const policy = {
    ...defaultPolicy,
    cut: (input: CutInput) => {
      seen.push(input.media)
      return defaultPolicy.cut(input)
    },
  }
  const input = {
    ...({ units: [], budget: estimatedTokens(900), tailTurns: 2 } as unknown as CutInput),
    full: estimatedTokens(900),
    media: estimatedTokens(60_000),
  }
  policyKeeping(policy, 3_000).cut(input)
  policyKeeping(policy, undefined).cut(input)
  expect(seen).toEqual([900, 60_000])
})
