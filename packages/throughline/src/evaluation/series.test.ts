import { expect, test } from 'vitest'
import { answers, calls, handMade, human } from './testing/hand-made.ts'
import { bareList } from './baselines.ts'
import { compactAgainAndAgain, stillHeld } from './series.ts'
import type { Compactor } from './throughline-compactor.ts'

const session = handMade([
  human('Look at firstName and secondName.'),
  ...Array.from({ length: 40 }, (_, index) => [
    calls('Grep', { pattern: `step_number_${index}` }),
    answers('nothing'),
  ]).flat(),
])

test('each round goes on from what the one before left, until the session ends', async () => {
  const lengths: number[] = []
  const compactor: Compactor = {
    name: 'counting',
    compact: async ({ log }) => {
      lengths.push(log.length)
      expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1))
      return { log, summary: '', messages: [] }
    },
  }
  await compactAgainAndAgain(compactor, session, { keep: 100, rounds: 4 })
  expect(lengths).toEqual([20, 40, 60, 81])
})

test('drift is the share of the first facts that a later compaction still holds', async () => {
  const all = await compactAgainAndAgain(bareList, session, { keep: 1_000, rounds: 2 })
  const [first, second] = all.map(({ compacted }) => compacted)
  if (!first || !second) throw new Error('two compactions were expected')
  expect(stillHeld(first, second, [])).toBe(1)
  const forgetful = {
    ...second,
    messages: [{ role: 'user' as const, content: 'firstName secondName' }],
  }
  expect(stillHeld(first, forgetful, [])).toBeCloseTo(2 / 12, 1)
})
