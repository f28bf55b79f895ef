import { describe, expect, test } from 'vitest'
import { assistant, human } from '../../testing/generate/build.ts'
import { coldCache } from '../../compaction/cold-cache.ts'
import { defaultPolicy, type Policy } from '../../compaction/policy.ts'
import { memoryStore } from '../../stores/memory.ts'
import { openSession, type Session } from '../session.ts'
import type { SessionEvent } from '../events.ts'
import type { Store } from '../store.ts'

const minute = 60_000
const window = { context: 40_000 }

interface Opening {
  store?: Store
  now: () => number
  model?: string
  policy?: Policy
  onEvent?: (event: SessionEvent) => void
}

function open({ store = memoryStore(), ...options }: Opening): Promise<Session> {
  return openSession({ store, id: 'a', window, ...options })
}

/** Works until the next request holds this share of what is usable. */
async function filled(session: Session, share: number, model?: string): Promise<void> {
  await session.append(human('Count. Never write a file.'))
  while (session.measure().tokens < session.budget().usable * share) {
    const at = session.now()
    const counted = assistant(`One, two, three, ${'four '.repeat(400)}`)
    await session.append({
      ...counted,
      at,
      ...(model !== undefined && { model }),
    } as typeof counted)
    await session.append(human('Go on.'))
  }
}

describe('what is due soon', () => {
  test('waits while the cache is warm, and is done when it is cold anyway', async () => {
    let now = minute
    const events: SessionEvent[] = []
    const session = await open({ now: () => now, onEvent: (event) => events.push(event) })
    await session.fit()
    await filled(session, 0.8)
    now += 4 * minute
    expect(await session.fit()).toMatchObject({ action: 'none', reason: 'fits' })
    now += 2 * minute
    const report = await session.fit()
    expect(report.action).not.toBe('none')
    expect(report).toMatchObject({ trigger: 'auto', cold: 'gap' })
    const started = events.find(({ type }) => type === 'compaction-started')
    expect(started).toMatchObject({ plan: { cold: 'gap' } })
  })

  test('is not done where nothing is due', async () => {
    let now = minute
    const session = await open({ now: () => now })
    await filled(session, 0.6)
    now += 60 * minute
    expect(await session.fit()).toMatchObject({ action: 'none', reason: 'fits' })
    expect(await session.fit()).not.toHaveProperty('cold')
  })

  test('is done by a process that resumes the session, but not a second later', async () => {
    let now = minute
    const store = memoryStore()
    await filled(await open({ store, now: () => now }), 0.8)
    now += 1_000
    expect(await (await open({ store, now: () => now })).fit()).toMatchObject({ reason: 'fits' })
    now += 3 * minute
    const resumed = await open({ store, now: () => now })
    expect(await resumed.fit()).toMatchObject({ cold: 'resume' })
  })

  test('is done when another model is asked, by this process or the next', async () => {
    const now = () => minute
    const store = memoryStore()
    const policy = { ...defaultPolicy, prepareAt: (usable: number) => usable / 2 }
    const first = await open({ store, now, model: 'small-1', policy })
    await filled(first, 0.8, 'small-1-20261122')
    expect(await first.fit()).toMatchObject({ reason: 'fits' })
    const other = await open({ store, now, model: 'maker/large-2', policy })
    expect(await other.fit()).toMatchObject({ cold: 'other-model' })
  })

  test('is done once: the next gate leaves what is small', async () => {
    let now = minute
    const session = await open({ now: () => now })
    await filled(session, 0.8)
    now += 60 * minute
    await session.fit()
    now += 60 * minute
    expect(await session.fit()).toMatchObject({ action: 'none', reason: 'fits' })
  })

  test('waits where the policy says so, where compactions are off, and where nobody knows the time', async () => {
    let now = minute
    const given = () => now
    const never = { ...defaultPolicy, cold: () => undefined }
    for (const policy of [never, { ...defaultPolicy, auto: false }]) {
      now = minute
      const session = await open({ now: given, policy })
      await filled(session, 0.8)
      now += 60 * minute
      expect((await session.fit()).action).toBe('none')
    }
    now = 0
    const timeless = await open({ now: given })
    await filled(timeless, 0.8)
    now = 60 * minute
    expect(await timeless.fit()).toMatchObject({ action: 'none' })
  })
})

test.each([
  [{ idle: undefined, resumed: true, otherModel: false }, undefined],
  [{ idle: 5 * minute, resumed: false, otherModel: false }, undefined],
  [{ idle: 5 * minute + 1, resumed: false, otherModel: false }, 'gap'],
  [{ idle: 2 * minute, resumed: true, otherModel: false }, undefined],
  [{ idle: 2 * minute + 1, resumed: true, otherModel: false }, 'resume'],
  [{ idle: 0, resumed: false, otherModel: true }, 'other-model'],
])('a cache with %o is cold by %s', (cache, cold) => {
  expect(coldCache(cache)).toBe(cold)
})
