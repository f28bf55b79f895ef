import { expect, it } from 'vitest'
import { defaultPolicy } from '../compaction/policy.ts'
import { presets } from '../compaction/presets.ts'
import { assistant, human } from '../testing/generate/build.ts'
import { memoryStore } from '../stores/memory.ts'
import { openSession, type Session } from './session.ts'
import type { Policy } from '../compaction/policy.ts'

const minute = 60_000

/** An agent that answers once a minute, and then waits for its human, in minutes. */
async function worked(policy: Policy, steps: number, waits = 1): Promise<[Session, number[]]> {
  let at = 0
  const sizes: number[] = []
  const session = await openSession({
    store: memoryStore(),
    id: 'a',
    window: { context: 200_000 },
    policy,
    now: () => at,
  })
  for (let step = 0; step < steps; step++) {
    at += (step === steps - 1 ? waits : 1) * minute
    await session.append({ ...human(`Look at part ${step}: ${'some words '.repeat(400)}`), at })
    const { action, before } = await session.fit()
    if (action !== 'none') sizes.push(before)
    await session.append({ ...assistant(`Part ${step} is done.`), at })
  }
  return [session, sizes]
}

it('is compacted where it costs least, long before its window is full', async () => {
  const [session, sizes] = await worked(presets.economic, 100)
  const { threshold, breakEven, usable, keep } = session.budget()
  expect(sizes.length).toBeGreaterThan(0)
  for (const size of sizes) expect(size).toBeLessThan(usable / 2)
  expect(breakEven?.at).toBe(threshold)
  expect(breakEven?.dollars).toBeLessThan(breakEven?.dollarsWhenFull ?? 0)
  // As much is kept as without an economy.
  expect(keep).toBe(defaultPolicy.keep(usable))
  expect((await worked(presets.default, 100))[1]).toEqual([])
})

it('is compacted sooner where the cache has forgotten it', async () => {
  const [, warm] = await worked(presets.economic, 40)
  const [, cold] = await worked(presets.economic, 40, 60)
  expect([warm.length, cold.length]).toEqual([0, 1])
})
