import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultPolicy } from '../compaction/policy.ts'
import { memoryStore } from '../stores/memory.ts'
import { human, step } from '../testing/generate/build.ts'
import { chronological } from '../log/order.ts'
import { compactLog } from './once/compact-log.ts'
import { openSession, type Session, type SessionOptions } from './session.ts'
import type { Summarizer } from '../compaction/summary/with-model/summarizer.ts'
import type { SessionEvent } from './events.ts'
import type { Store } from './store.ts'

// Nobody waits in a test: the clock is wound on. Turns of the event loop are real.
beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'Date', 'performance'],
    }),
)
afterEach(() => void vi.useRealTimers())

const never = new Promise<never>(() => {})
const policy = { ...defaultPolicy, summaryTimeout: 5_000, hookTimeout: 3_000, storeTimeout: 2_000 }

async function opened(options: Partial<SessionOptions> = {}) {
  const events: SessionEvent[] = []
  const session = await openSession({
    store: memoryStore(),
    id: 'a',
    window: { context: 32_000 },
    policy,
    onEvent: (event) => void events.push(event),
    ...options,
  })
  const steps = Array.from({ length: 8 }, (_, n) =>
    step(`c${n}`, 'Read', { file_path: `${n}.ts` }, 'text '.repeat(3_000)),
  )
  await session.append(human('Go on.'), ...steps.flat())
  return { session, events }
}

/** The result of work that waits, while the clock is wound on by that much. */
async function after<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const ended = Promise.allSettled([work])
  const settled = new AbortController()
  void ended.then(() => settled.abort())
  // What is done in pieces comes to its waiting only after some turns.
  for (let turn = 0; !settled.signal.aborted; turn++) {
    // Far more than any machine needs.
    if (turn > 20_000) throw new Error('It was not given up.')
    await vi.advanceTimersByTimeAsync(milliseconds)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const [result] = await ended
  if (result.status === 'rejected') throw result.reason
  return result.value
}

describe('a summarizer that never answers', () => {
  function silent() {
    const signals: (AbortSignal | undefined)[] = []
    const summarizer: Summarizer = {
      name: 'silent',
      summarize: (_, { signal }) => {
        signals.push(signal)
        return never
      },
    }
    return { signals, summarizer }
  }

  it('is given up after its time, told so, and not asked again', async () => {
    const { signals, summarizer } = silent()
    const { session } = await opened({ summarizer })
    const report = await after(5_000, session.compact())
    expect(report).toMatchObject({ action: 'summary', summarizer: 'local' })
    expect(report.attempts.map(({ problems }) => problems)).toEqual([
      [expect.stringContaining('"silent" did not answer within 5 seconds')],
    ])
    expect(signals.map((signal) => signal?.aborted)).toEqual([true])
  })

  it('has its time once, however often it fails before it is over', async () => {
    let asked = 0
    const summarizer: Summarizer = {
      name: 'slow',
      summarize: async () => {
        asked += 1
        await new Promise((resolve) => setTimeout(resolve, 2_000))
        throw new Error('overloaded')
      },
    }
    const { session } = await opened({ summarizer })
    const began = performance.now()
    const report = await after(1_000, session.compact())
    expect(report).toMatchObject({ action: 'summary', summarizer: 'local' })
    expect(asked).toBe(3)
    expect(report.attempts.at(-1)?.problems).toEqual([
      expect.stringContaining('"slow" did not answer within 5 seconds'),
    ])
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  it('that its own client gives up is not asked again', async () => {
    let asked = 0
    const summarizer: Summarizer = {
      name: 'impatient',
      summarize: async () => {
        asked += 1
        throw new Error('it failed', { cause: new DOMException('timed out', 'TimeoutError') })
      },
    }
    const { session } = await opened({ summarizer })
    expect(await session.compact()).toMatchObject({ action: 'summary', summarizer: 'local' })
    expect(asked).toBe(1)
  })

  it('is given up by compactLog too', async () => {
    const { summarizer } = silent()
    const { session } = await opened()
    const log = chronological([...(await session.log())])
    const options = { window: { context: 32_000 }, policy, summarizer, trigger: 'manual' } as const
    const { report } = await after(5_000, compactLog(log, options))
    expect(report.summarizer).toBe('local')
  })

  it('still ends at once where its caller aborts', async () => {
    const { session } = await opened({ summarizer: silent().summarizer })
    const controller = new AbortController()
    const compaction = session.compact({ signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(compaction).rejects.toThrow('enough')
  })

  it('may take for ever where the policy says so', async () => {
    let answer: (text: string) => void = () => {}
    const text = new Promise<string>((resolve) => (answer = resolve))
    const summarizer: Summarizer = {
      name: 'slow',
      summarize: async () => ({ text: await text, finish: 'stop' }),
    }
    const patient = { ...policy, summaryTimeout: Infinity }
    const { session } = await opened({ summarizer, policy: patient })
    const compaction = session.compact()
    await vi.advanceTimersByTimeAsync(1e9)
    answer('## Goal\nTo wait.')
    expect(await compaction).toMatchObject({ summarizer: 'slow' })
  })
})

describe.each(['beforeCompact', 'afterSummary'] as const)(
  'a hook that never answers: %s',
  (hook) => {
    it('is given up after its time, and the compaction goes on', async () => {
      const { session, events } = await opened({ plugins: [{ name: 'p', [hook]: () => never }] })
      const report = await after(3_000, session.compact())
      expect(report.action).toBe('summary')
      const failed = events.flatMap((event) =>
        event.type === 'plugin-failed' ? [event.error] : [],
      )
      expect(failed).toMatchObject([{ plugin: 'p', hook, cause: { code: 'TIME_LIMIT' } }])
    })
  },
)

describe('a store that never answers', () => {
  it.each<keyof Store>(['append', 'read', 'redact'])('is given up: %s', async (method) => {
    const store = memoryStore()
    const { session } = await opened({ store })
    store[method] = () => never
    const works: Partial<Record<keyof Store, (session: Session) => Promise<unknown>>> = {
      append: (each) => each.say('Hello?'),
      read: (each) => each.sync(),
      redact: (each) => each.redact({ text: 'text text text' }),
    }
    await expect(after(10_000, works[method]?.(session) ?? never)).rejects.toMatchObject({
      code: 'TIME_LIMIT',
      who: 'store',
      waitedFor: method === 'redact' ? 'redact' : method,
    })
  })

  it('and writes later after all, is read before anything else is written', async () => {
    const store = memoryStore()
    const { session } = await opened({ store })
    const append = store.append.bind(store)
    let write: () => Promise<unknown> = async () => {}
    store.append = (...given) => {
      write = () => append(...given)
      return never
    }
    await expect(after(2_000, session.say('Late.'))).rejects.toMatchObject({ code: 'TIME_LIMIT' })
    store.append = append
    await write()
    await session.say('Then.')
    const texts = session.messages().map(({ content }) => content)
    expect(texts.slice(-2)).toEqual(['Late.', 'Then.'])
  })
})

describe('a listener that fails', () => {
  it.each([
    ['throws', () => { throw new Error('mine') }], // prettier-ignore
    ['rejects', () => Promise.reject(new Error('mine'))],
  ])('harms nothing where it %s, and plugins are told', async (_, onEvent) => {
    const told: SessionEvent[] = []
    const { session } = await opened({
      onEvent: onEvent as never,
      plugins: [{ name: 'listens', onEvent: (event) => void told.push(event) }],
    })
    expect(await session.compact()).toMatchObject({ action: 'summary' })
    await session.say('And on.')
    expect(session.messages().at(-1)?.content).toBe('And on.')
    const failed = told.flatMap((event) => (event.type === 'plugin-failed' ? [event.error] : []))
    expect(failed[0]).toMatchObject({ plugin: 'onEvent', hook: 'onEvent' })
  })
})
