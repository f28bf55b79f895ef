import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  advanceCircuitBreaker,
  circuitBreakerIsOpen,
  closedCircuitBreaker,
} from '../compaction/summary/with-model/circuit-breaker.ts'
import { advanceCalibrations, emptyCalibrations } from '../tokens/calibration.ts'
import { defaultPolicy } from '../compaction/policy.ts'
import { contextOf } from '../log/context/context.ts'
import { chronological } from '../log/order.ts'
import { memoryStore } from '../stores/memory.ts'
import { human, step } from '../testing/generate/build.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import { NothingToUndoError } from './errors.ts'
import { openSession, type Session } from './session.ts'
import { readRecentLog } from './recent-log.ts'
import type { Entry, Observation } from '../log/entry.ts'
import type { Store } from './store.ts'

const breaker = defaultPolicy.breaker

type Action = { does: 'compact' | 'undo' | 'fail' | 'rewind' | 'pin'; share: number }

const arbitraryActions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Action>({ does: 'compact', share: 0 }) },
    fc.constantFrom<Action>({ does: 'undo', share: 0 }, { does: 'fail', share: 0 }),
    fc.record({
      does: fc.constantFrom<Action['does'][]>('rewind', 'pin'),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  ),
  { minLength: 1, maxLength: 12 },
)

async function act(session: Session, action: Action): Promise<unknown> {
  if (action.does === 'compact') return session.compact()
  if (action.does === 'fail') {
    const observation: Observation = { type: 'failure', summarizer: 'a', problems: ['empty'] }
    return session.append({ kind: 'observation', at: 0, observation })
  }
  if (action.does === 'undo') {
    return session.undo().catch((error: unknown) => {
      if (!(error instanceof NothingToUndoError)) throw error
    })
  }
  const { seq } = session.context()
  if (action.does === 'rewind') return session.rewind(Math.floor(action.share * seq))
  const [pin] = session.context().pins.keys()
  return action.share > 0.5 && pin !== undefined ? session.unpin(pin) : session.pin('Keep this.')
}

describe('the recent log', () => {
  it('gives the context, the ratios and the breaker of the whole log', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(arbitrarySession({ maxSteps: 12 }), arbitraryActions), {
          minLength: 1,
          maxLength: 4,
        }),
        async (rounds) => {
          const store = memoryStore()
          const options = { store, id: 'a', window: { context: 1_000_000 }, now: () => 0 }
          const session = await openSession(options)
          for (const [drafts, actions] of rounds) {
            const before = session.context().seq
            await session.append(...drafts.filter((draft) => before === 0 || isPlain(draft)))
            for (const action of actions) {
              await act(session, action)
              await expectSameViews(store)
            }
          }
          const reopened = await openSession(options)
          expect(reopened.messages()).toEqual(session.messages())
          expect(await reopened.history()).toEqual(await session.history())
          expect(await reopened.log()).toEqual(await session.log())
        },
      ),
      runs(40),
    )
  })

  it('reads no more of a long session than of a short one', async () => {
    const store = memoryStore()
    const session = await openSession({ store, id: 'a', window: { context: 1e6 } })
    const sizes: number[] = []
    for (let round = 0; round < 6; round++) {
      const steps = Array.from({ length: 50 }, (_, n) =>
        step(`${round}-${n}`, 'read', { path: `${n}.ts` }, 'text '.repeat(400)),
      )
      await session.append(human(`Request ${round}`), ...steps.flat())
      await session.compact()
      sizes.push((await readRecentLog(store, 'a', breaker.failures)).length)
    }
    expect(sizes[0]).toBeLessThan(120)
    expect(sizes.at(-1)).toBeLessThanOrEqual((sizes[0] ?? 0) + 10)
  })
})

/** Seqs in foreign drafts mean their own log: in the middle of another one they mean nothing. */
function isPlain({ kind }: { kind: Entry['kind'] }): boolean {
  return kind === 'message' || kind === 'observation'
}

async function expectSameViews(store: Store): Promise<void> {
  const whole = chronological(await store.read('a'))
  const recent = chronological(await readRecentLog(store, 'a', breaker.failures))
  expect(recent.at(-1)).toEqual(whole.at(-1))
  expect(contextOf(recent)).toEqual(contextOf(whole))
  expect(advanceCalibrations(emptyCalibrations(), recent)).toEqual(
    advanceCalibrations(emptyCalibrations(), whole),
  )
  const [knows, seen] = [whole, recent].map((log) => {
    return circuitBreakerIsOpen(advanceCircuitBreaker(closedCircuitBreaker(), log), breaker)
  })
  expect(seen).toBe(knows)
}
