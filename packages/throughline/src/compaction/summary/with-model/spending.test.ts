import { expect, test } from 'vitest'
import { openSession } from '../../../session/session.ts'
import { memoryStore } from '../../../stores/memory.ts'
import { human, step } from '../../../testing/generate/build.ts'
import { goodSummary } from '../../../testing/scripted/scripted-summarizer.ts'
import { ContextFloorError, SummaryFailedError } from '../../errors.ts'
import { defaultPolicy, type Policy } from '../../policy.ts'
import { spendingOf } from './circuit-breaker.ts'
import type { Session } from '../../../session/session.ts'
import type { Summarizer } from './summarizer.ts'
import { estimatedTokens } from '../../../tokens/units.ts'

const usage = { inputTokens: 1_000, outputTokens: 100, cacheReadTokens: 600, cacheWriteTokens: 50 }

test('calls are added up, cached tokens too, and money where each price is known', () => {
  expect(spendingOf([])).toBeUndefined()
  expect(
    spendingOf([
      { model: 'a', usage, cost: 0.01 },
      { model: 'a', failed: true },
      { model: 'b', usage: { inputTokens: 10, outputTokens: 1 }, cost: 0.001 },
    ]),
  ).toEqual({
    calls: 3,
    inputTokens: 1_010,
    outputTokens: 101,
    cacheReadTokens: 600,
    cacheWriteTokens: 50,
    cost: 0.011,
  })
  expect(spendingOf([{ model: 'a', usage, cost: 0.01 }, { model: 'b' }])).not.toHaveProperty('cost')
  expect(spendingOf([{ model: 'a', failed: true }])).not.toHaveProperty('cost')
})

async function sessionWith(
  summarize: Summarizer['summarize'],
  policy: Policy = defaultPolicy,
): Promise<Session> {
  const session = await openSession({
    store: memoryStore(),
    id: 'a',
    window: { context: 8_000 },
    policy,
    summarizer: { name: 'm', summarize },
  })
  const steps = Array.from({ length: 20 }, (_, n) =>
    step(`c${n}`, 'read', { path: `src/f${n}.ts` }, 'text '.repeat(600)),
  )
  await session.append(human('go'), ...steps.flat())
  return session
}

test('a checkpoint and its report say what all attempts took', async () => {
  let attempts = 0
  const session = await sessionWith(async (request) => {
    attempts += 1
    const calls = [{ model: 'small', usage, cost: 0.5 }]
    if (attempts === 1) throw new SummaryFailedError('down', { calls })
    return { text: goodSummary(request), finish: 'stop', calls }
  })
  const report = await session.compact()
  expect(report.attempts.map(({ calls, cost }) => [calls.length, cost])).toEqual([
    [1, 0.5],
    [1, 0.5],
  ])
  expect(report.spent).toMatchObject({ calls: 2, inputTokens: 2_000, outputTokens: 200, cost: 1 })
  expect(session.context().checkpoint?.metadata.spent).toEqual(report.spent)
})

test('what failed is told once: in the checkpoint that code made in its place', async () => {
  const session = await sessionWith(async () => ({ text: '', finish: 'stop', usage }))
  const report = await session.compact()
  expect(report).toMatchObject({ summarizer: 'local', spent: { calls: 2, inputTokens: 2_000 } })
  const told = (await session.log()).flatMap((entry) => {
    if (entry.kind === 'checkpoint') return entry.metadata.spent ?? []
    return entry.kind === 'observation' && entry.observation.type === 'failure'
      ? (entry.observation.spent ?? [])
      : []
  })
  expect(told).toEqual([report.spent])
})

test('what failed is told where there is no checkpoint, too', async () => {
  const session = await sessionWith(async () => ({ text: '', finish: 'stop', usage }), {
    ...defaultPolicy,
    // Nothing that is kept gets any smaller.
    cut: ({ units }) => ({
      head: units.slice(0, 2),
      tail: units.slice(2).flatMap(({ items }) => items.map(({ seq }) => ({ type: 'entry', seq }))),
      tailTokens: estimatedTokens(0),
    }),
    prune: () => undefined,
  })
  await expect(session.fit()).rejects.toThrow(ContextFloorError)
  const newest = (await session.log()).at(-1)
  expect(newest).toMatchObject({
    kind: 'observation',
    observation: { type: 'failure', spent: { calls: 2, inputTokens: 2_000, outputTokens: 200 } },
  })
})

test('a head of one step is not asked for by halves: there would be nothing to read', async () => {
  const session = await sessionWith(async () => Promise.reject(new Error('500')), {
    ...defaultPolicy,
    cut: (input) => {
      const cut = defaultPolicy.cut(input)
      return { ...cut, head: cut.head.slice(0, 1) }
    },
  })
  const { attempts } = await session.compact()
  expect(attempts.map(({ rung }) => rung)).toEqual(['model', 'model'])
})

test('a summarizer that throws anything has made one call, which failed', async () => {
  const session = await sessionWith(async () => Promise.reject(new Error('500')))
  const { attempts } = await session.compact()
  expect(attempts.map(({ calls }) => calls)).toEqual(
    Array.from({ length: 4 }, () => [{ model: 'm', failed: true }]),
  )
})

test('what came to nothing because others changed the session meanwhile is told, too', async () => {
  const store = memoryStore()
  const options = { store, id: 'a', window: { context: 8_000 } }
  let others: Promise<unknown> | undefined
  const session = await openSession({
    ...options,
    summarizer: {
      name: 'm',
      summarize: async (request) => {
        others ??= openSession(options).then((other) => other.compact())
        await others
        return { text: goodSummary(request), finish: 'stop', usage }
      },
    },
  })
  await session.append(human('go'), ...step('a', 'read', {}, 'text '.repeat(3_000)))
  await session.append(human('go on'), ...step('b', 'read', {}, 'text '.repeat(3_000)))
  await session.compact()
  const lost = (await session.log()).flatMap((entry) =>
    entry.kind === 'observation' && entry.observation.type === 'note' ? [entry.observation] : [],
  )
  expect(lost).toEqual([
    { type: 'note', name: 'compaction-lost', data: { spent: { calls: 1, ...usage } } },
  ])
})
