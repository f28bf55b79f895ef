import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RefNotFoundError } from '../../log/ref.ts'
import { contextOf } from '../../log/context/context.ts'
import { memoryStore } from '../../stores/memory.ts'
import { sqliteStore } from '../../stores/sqlite/index.ts'
import { assistant, call, human, result, step, tool } from '../../testing/generate/build.ts'
import { runs } from '../../testing/generate/runs.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { illegalities } from '../../testing/legal.ts'
import { openCallIds } from '../../testing/open-calls.ts'
import { SessionExistsError, SessionNotFoundError } from '../errors.ts'
import { forkSession } from './fork.ts'
import { openSession, type Session } from '../session.ts'
import { abortedResult, waitsForSomeone } from '../../log/open-calls.ts'
import type { Store } from '../store.ts'

const open = (store: Store, id: string): Promise<Session> =>
  openSession({ store, id, window: { context: 1_000_000 }, now: () => 0 })

/** 1 the human, 2 two calls, 3 and 4 their results, 5 the human again. */
async function oneStep(): Promise<Store> {
  const store = memoryStore()
  await store.append('main', [
    human('look'),
    assistant([call('a', 'read'), call('b', 'read')]),
    tool(result('a', 'read', 'x')),
    tool(result('b', 'read', 'y')),
    human('and now?'),
  ])
  return store
}

describe('a fork', () => {
  test('has the context of the original at the entry where it was made', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitrarySession({ maxSteps: 12 }),
        arbitrarySession({ maxSteps: 6 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (before, after, share) => {
          const store = memoryStore()
          const original = await open(store, 'main')
          await original.append(...before)
          await original.compact()
          await original.pin('Keep this.')
          await original.append(...after.filter(({ kind }) => kind === 'message'))
          await original.compact()
          await original.rewind(1)
          await original.undo().catch(() => undefined)
          const log = await original.log()
          const upTo = 1 + Math.floor(share * (log.length - 1))
          const into = sqliteStore({ file: ':memory:' })
          expect(await forkSession(store, 'main', 'fork', { upTo, into })).toBe(upTo)
          const fork = await open(into, 'fork')
          expect(JSON.stringify(await fork.log())).toBe(JSON.stringify(log.slice(0, upTo)))
          expect(JSON.stringify(fork.context().items)).toBe(
            JSON.stringify(contextOf(log, upTo).items),
          )
          expect(illegalities(fork.messages())).toEqual([])
          into.close()
        },
      ),
      runs(30),
    )
  })

  test('takes over everything by default, and then goes its own way', async () => {
    const store = await oneStep()
    expect(await forkSession(store, 'main', 'fork')).toBe(5)
    const [main, fork] = [await open(store, 'main'), await open(store, 'fork')]
    expect(fork.messages()).toEqual(main.messages())
    await fork.say('only here')
    expect(await store.read('main')).toHaveLength(5)
    expect(await fork.read('3.0')).toEqual(await main.read('3.0'))
  })

  test('of a step without all results waits for them, as the original did', async () => {
    const store = await oneStep()
    for (const [upTo, waiting] of [
      [2, ['a', 'b']],
      [3, ['b']],
      [4, []],
    ] as const) {
      await forkSession(store, 'main', `up to ${upTo}`, { upTo })
      const fork = await open(store, `up to ${upTo}`)
      expect(openCallIds(fork.messages())).toEqual(waiting)
      expect(waitsForSomeone(fork.context().items)).toBe(waiting.length > 0)
      expect(illegalities(fork.messages())).toEqual([])
    }
  })

  test('of an open step goes on with the result, or with a word that gives it up', async () => {
    const store = await oneStep()
    await forkSession(store, 'main', 'answered', { upTo: 3 })
    await forkSession(store, 'main', 'given up', { upTo: 3 })
    const answered = await open(store, 'answered')
    await answered.append(tool(result('b', 'read', 'something else')))
    expect(openCallIds(answered.messages())).toEqual([])
    const givenUp = await open(store, 'given up')
    await givenUp.say('never mind')
    expect(illegalities(givenUp.messages())).toEqual([])
    expect(JSON.stringify(givenUp.messages())).toContain(abortedResult)
  })

  test('keeps its text when the original is redacted later', async () => {
    const store = memoryStore()
    await store.append('main', [human('the key is hunter2hunter2'), ...step('a', 'read', {}, 'x')])
    await forkSession(store, 'main', 'fork')
    await (await open(store, 'main')).redact({ text: 'hunter2hunter2' })
    expect(JSON.stringify(await store.read('main'))).not.toContain('hunter2')
    expect(JSON.stringify(await store.read('fork'))).toContain('hunter2')
    await forkSession(store, 'main', 'later', { upTo: 1 })
    expect(JSON.stringify(await store.read('later'))).not.toContain('hunter2')
  })
})

describe('a fork is refused', () => {
  test('from a session that does not exist', async () => {
    const store = await oneStep()
    const error = await forkSession(store, 'other', 'fork').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SessionNotFoundError)
    expect(await store.read('fork')).toEqual([])
  })

  test('under a name that is taken, and leaves that session alone', async () => {
    const store = await oneStep()
    const elsewhere = memoryStore()
    await elsewhere.append('main', [human('another')])
    for (const into of [store, elsewhere]) {
      const before = await into.read('main')
      await expect(forkSession(store, 'main', 'main', { into })).rejects.toBeInstanceOf(
        SessionExistsError,
      )
      expect(await into.read('main')).toEqual(before)
    }
  })

  test('at what is no entry', async () => {
    const store = await oneStep()
    for (const upTo of [0, 6, -1, 2.5, NaN, Infinity]) {
      await expect(forkSession(store, 'main', 'fork', { upTo })).rejects.toBeInstanceOf(
        RefNotFoundError,
      )
    }
    expect((await store.sessions()).map(({ id }) => id)).toEqual(['main'])
  })

  test('to all but one who fork under the same name at the same time', async () => {
    const store = await oneStep()
    const forks = [1, 2, 3, 4, 5].map((upTo) => forkSession(store, 'main', 'fork', { upTo }))
    const outcomes = await Promise.allSettled(forks)
    const made = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value] : [],
    )
    expect(made).toHaveLength(1)
    expect(await store.read('fork')).toHaveLength(made[0] ?? 0)
  })
})
