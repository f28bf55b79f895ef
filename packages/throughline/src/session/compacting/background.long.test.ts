import { describe, expect, it } from 'vitest'
import { defaultPolicy } from '../../compaction/policy.ts'
import { messageText } from '../../log/message.ts'
import { memoryStore } from '../../stores/memory.ts'
import { assistant, human } from '../../testing/generate/build.ts'
import { goodSummary, scriptedSummarizer } from '../../testing/scripted/scripted-summarizer.ts'
import { run } from '../loop/loop.ts'
import { openSession, type Session, type SessionOptions } from '../session.ts'
import type { Summarizer, SummaryAnswer } from '../../compaction/summary/with-model/summarizer.ts'
import type { Observation } from '../../log/entry.ts'
import type { SessionEvent } from '../events.ts'

interface Watched {
  session: Session
  events: SessionEvent[]
  /** Says something until the next request takes this share of what is usable. */
  fill: (share: number) => Promise<void>
  /** Waits for an event of this type that has not been waited for yet. */
  seen: (type: SessionEvent['type']) => Promise<void>
  types: () => string[]
}

async function watched(options: Partial<SessionOptions> = {}): Promise<Watched> {
  const events: SessionEvent[] = []
  const waiting = new Map<string, () => void>()
  const session = await openSession({
    store: memoryStore(),
    id: 'a',
    window: { context: 32_000 },
    now: () => 0,
    ...options,
    onEvent: (event) => {
      events.push(event)
      waiting.get(event.type)?.()
      options.onEvent?.(event)
    },
  })
  await session.say('Look at all of it.')
  let said = 0
  return {
    session,
    events,
    fill: async (share) => {
      while (session.measure().tokens < session.budget().usable * share) {
        await session.append(assistant(`part ${++said}: ${'word '.repeat(300)}`))
      }
    },
    seen: (type) =>
      events.some((event) => event.type === type)
        ? Promise.resolve()
        : new Promise((resolve) => waiting.set(type, resolve)),
    types: () =>
      events.flatMap(({ type }) =>
        type.startsWith('preparation') || type.startsWith('compaction') ? [type] : [],
      ),
  }
}

/** A summarizer that answers when it is told to. */
function held() {
  let answer: () => void = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const summarizer = scriptedSummarizer(async (request): Promise<SummaryAnswer> => {
    await answered
    return {
      text: goodSummary(request),
      finish: 'stop',
      usage: { inputTokens: 9, outputTokens: 1 },
    }
  })
  return { summarizer, answer: () => answer() }
}

async function notes(session: Session): Promise<Observation[]> {
  return (await session.log()).flatMap((entry) =>
    entry.kind === 'observation' ? [entry.observation] : [],
  )
}

/** The preparation fails, and code writes the summary of the compaction. */
async function compactedBehindAFailure(summarizer: Summarizer): Promise<void> {
  const { session, fill, seen } = await watched({ summarizer })
  await fill(0.75)
  await session.fit()
  await seen('preparation-failed')
  await fill(1)
  await expect(session.fit()).resolves.toMatchObject({ action: 'summary', summarizer: 'local' })
}

describe('a summary that is prepared beside the agent', () => {
  it('is begun from the share of the policy on, and is there when it is needed', async () => {
    const summarizer = scriptedSummarizer('good')
    const { session, fill, seen, types } = await watched({ summarizer })
    await fill(0.5)
    await session.fit()
    expect(types()).toEqual([])
    await fill(0.75)
    await session.fit()
    await seen('preparation-finished')
    await fill(1)
    const late = session.messages().slice(-3)
    const spent = { calls: 1, inputTokens: 1_000, outputTokens: 100 }
    await expect(session.fit()).resolves.toMatchObject({ action: 'summary', prepared: true, spent })
    const checkpoint = (await session.log()).find(({ kind }) => kind === 'checkpoint')
    expect(checkpoint).toMatchObject({ metadata: { spent } })
    expect(summarizer.requests).toHaveLength(1)
    expect(session.messages().slice(-3)).toEqual(late)
    expect(session.measure().tokens).toBeLessThanOrEqual(session.budget().lowWater)
    expect(types()).toEqual([
      'preparation-started',
      'preparation-finished',
      'compaction-started',
      'compaction-finished',
    ])
  })

  it('is one at a time, and one for a view', async () => {
    const { summarizer, answer } = held()
    const { session, fill, seen, types } = await watched({ summarizer })
    await fill(0.72)
    await Promise.all([session.fit(), session.fit(), session.fit()])
    await seen('preparation-started')
    await fill(0.9)
    await session.fit()
    answer()
    await seen('preparation-finished')
    await session.fit()
    expect(types()).toEqual(['preparation-started', 'preparation-finished'])
    expect(summarizer.requests).toHaveLength(1)
  })

  it('is waited for where it is on its way, and not asked for again', async () => {
    const { summarizer, answer } = held()
    const { session, fill, seen } = await watched({ summarizer })
    await fill(0.75)
    await session.fit()
    await seen('preparation-started')
    await fill(1)
    const compaction = session.fit()
    answer()
    await expect(compaction).resolves.toMatchObject({ prepared: true })
    expect(summarizer.requests).toHaveLength(1)
  })

  it('is used by whoever asks for a compaction, unless with a focus of their own', async () => {
    for (const [request, prepared] of [
      [{}, true],
      [{ focus: 'the tests' }, undefined],
    ] as const) {
      const summarizer = scriptedSummarizer('good')
      const { session, fill, seen } = await watched({ summarizer })
      await fill(0.75)
      await session.fit()
      await seen('preparation-finished')
      expect((await session.compact(request)).prepared).toBe(prepared)
    }
  })

  it.each<[string, Partial<SessionOptions>]>([
    ['by policy', { policy: { ...defaultPolicy, prepareAt: (usable) => usable } }],
    ['where nothing may happen by itself', { policy: { ...defaultPolicy, auto: false } }],
  ])('is not made %s', async (_, options) => {
    const summarizer = scriptedSummarizer('good')
    const { session, fill, types } = await watched({ summarizer, ...options })
    await fill(0.95)
    await session.fit()
    await session.close()
    expect(summarizer.requests).toHaveLength(0)
    expect(types()).toEqual([])
  })

  it('is not made where pruning will do, or no model writes summaries', async () => {
    const { session, fill, types } = await watched()
    await fill(0.95)
    await session.fit()
    await session.close()
    expect(types()).toEqual([])
  })

  it.each<[string, (session: Session) => Promise<unknown>]>([
    ['a pin', (session) => session.pin('Never push.')],
    ['a redaction', (session) => session.redact({ text: 'part 2' })],
    ['a rewind', (session) => session.rewind(session.context().seq - 1)],
  ])('is discarded after %s, and what it took is told', async (_, change) => {
    const summarizer = scriptedSummarizer('good')
    const { session, fill, seen, events } = await watched({ summarizer })
    await fill(0.75)
    await session.fit()
    await seen('preparation-finished')
    await change(session)
    await fill(1)
    expect((await session.fit()).prepared).toBeUndefined()
    const spent = { calls: 1, inputTokens: 1_000, outputTokens: 100 }
    expect(events).toContainEqual({ type: 'preparation-discarded', reason: 'view-changed', spent })
    expect(await notes(session)).toContainEqual({
      type: 'note',
      name: 'preparation-discarded',
      data: { reason: 'view-changed', spent },
    })
  })

  it('is not waited for where the window has proved to be smaller', async () => {
    const { summarizer } = held()
    const { session, fill, seen, events } = await watched({ summarizer })
    await fill(0.75)
    await session.fit()
    await seen('preparation-started')
    const observation = { type: 'limit', tokens: 20_000 } as const
    await session.append({ kind: 'observation', at: 0, observation })
    const leave = new AbortController()
    const recovered = session.recover({ signal: leave.signal })
    await seen('preparation-discarded')
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'preparation-discarded', reason: 'window-changed' }),
    )
    // The summarizer never answers, so neither does this one.
    const stop = new AbortController()
    const given = session.recover({ signal: stop.signal })
    stop.abort()
    await expect(given).rejects.toThrow()
    leave.abort()
    await expect(recovered).rejects.toThrow()
  })

  it('that fails counts like any other that fails, and the compaction has so many attempts fewer', async () => {
    const summarizer = scriptedSummarizer('throws')
    const { session, fill, seen } = await watched({ summarizer })
    await fill(0.75)
    await session.fit()
    await seen('preparation-failed')
    await fill(0.8)
    await session.fit()
    expect((await notes(session)).filter(({ type }) => type === 'failure')).toHaveLength(1)
    await fill(1)
    await expect(session.fit()).resolves.toMatchObject({ action: 'summary', summarizer: 'local' })
    expect(summarizer.requests).toHaveLength(defaultPolicy.attempts)
  })

  it('that was refused however often it is asked for is not asked for by the compaction', async () => {
    const summarizer = scriptedSummarizer(() => {
      throw Object.assign(new Error('invalid x-api-key'), { status: 401 })
    })
    await compactedBehindAFailure(summarizer)
    expect(summarizer.requests).toHaveLength(1)
  })

  it('that was answered twice and could not be used is not asked for a third time', async () => {
    const summarizer = scriptedSummarizer('empty')
    await compactedBehindAFailure(summarizer)
    expect(summarizer.requests).toHaveLength(2)
  })

  it('is not begun while the breaker is open', async () => {
    const summarizer = scriptedSummarizer('throws')
    const { session, fill } = await watched({ summarizer })
    const problems = ['it was empty']
    const failure = { type: 'failure' as const, summarizer: 'scripted', problems }
    const draft = { kind: 'observation', at: 0, observation: failure } as const
    await session.append(draft, draft, draft)
    await fill(0.75)
    await session.fit()
    await session.close()
    expect(summarizer.requests).toHaveLength(0)
  })

  it('goes on behind a run that has finished, which does not wait for it', async () => {
    const { summarizer, answer } = held()
    const { session, fill, seen, types } = await watched({ summarizer })
    await fill(0.75)
    await session.say('go on')
    const result = await run({
      session,
      step: async () => {
        await seen('preparation-started')
        return { messages: [{ role: 'assistant', content: 'Done.' }], finish: 'stop' }
      },
    })
    expect(result.reason).toBe('finished')
    expect(types()).toEqual(['preparation-started'])
    answer()
    await seen('preparation-finished')
    await fill(1)
    await expect(session.fit()).resolves.toMatchObject({ prepared: true })
  })

  it('ends where the session is closed, and with a run that fails', async () => {
    const spent = { calls: 1, inputTokens: 0, outputTokens: 0 }
    const step = async (): Promise<never> => Promise.reject(new Error('The model is gone.'))
    for (const end of [
      (session: Session) => session.close(),
      (session: Session) => expect(run({ session, step })).rejects.toThrow('gone'),
    ]) {
      const { session, fill, seen, events } = await watched({
        summarizer: scriptedSummarizer('hangs'),
      })
      await fill(0.75)
      await session.fit()
      await seen('preparation-started')
      await session.say('go on')
      await end(session)
      expect(events).toContainEqual({ type: 'preparation-discarded', reason: 'ended', spent })
    }
  })

  it('ends with a run that is aborted', async () => {
    const summarizer = scriptedSummarizer('hangs')
    const { session, fill, seen, types } = await watched({ summarizer })
    await fill(0.75)
    await session.say('go on')
    const controller = new AbortController()
    const running = run({
      session,
      signal: controller.signal,
      step: async (_, { signal }) => {
        await seen('preparation-started')
        controller.abort()
        signal?.throwIfAborted()
        throw new Error('it goes on')
      },
    })
    await expect(running).resolves.toMatchObject({ reason: 'aborted' })
    expect(types()).toEqual(['preparation-started', 'preparation-discarded'])
  })

  it('outlives its run where it is ready, until the session is closed', async () => {
    const summarizer = scriptedSummarizer('good')
    const { session, fill, seen, types } = await watched({ summarizer })
    await fill(0.75)
    await session.say('go on')
    const step = async () => {
      await seen('preparation-finished')
      return {
        messages: [{ role: 'assistant', content: 'Done.' } as const],
        finish: 'stop' as const,
      }
    }
    await run({ session, step })
    expect(types()).toEqual(['preparation-started', 'preparation-finished'])
    await session.close()
    await session.close()
    expect(types().at(-1)).toBe('preparation-discarded')
    await fill(1)
    await expect(session.fit()).resolves.toMatchObject({ action: 'summary', fits: true })
  })

  it('is begun no more than twice for a view, however many runs abort it', async () => {
    const summarizer = scriptedSummarizer('hangs')
    const { session, fill } = await watched({ summarizer })
    await fill(0.72)
    for (let turn = 0; turn < 5; turn++) {
      await session.append(human('and now?'), assistant('word '.repeat(1_200)))
      if ((await session.fit()).action !== 'none') break
      await new Promise((resolve) => setTimeout(resolve, 5))
      await session.stopPreparing()
    }
    expect(summarizer.requests.length).toBeLessThanOrEqual(2)
  })

  it('does not disturb the session when its store or a listener fails', async () => {
    const store = memoryStore()
    let failing = false
    const summarizer = scriptedSummarizer('throws')
    const { session, fill, seen, types } = await watched({
      summarizer,
      store: {
        ...store,
        append: async (id, drafts, condition) => {
          if (failing) throw new Error('The disk is full.')
          return store.append(id, drafts, condition)
        },
      },
      onEvent: ({ type }) => {
        if (type === 'preparation-started') throw new Error('The listener is out of order.')
      },
    })
    await fill(0.75)
    await session.fit()
    await seen('preparation-failed')
    failing = true
    await expect(session.fit()).resolves.toMatchObject({ action: 'none', reason: 'fits' })
    await session.close()
    expect(types()).toContain('preparation-failed')
  })

  it('is found by the words that came since, and not by what it stands for', async () => {
    const summarizer = scriptedSummarizer('good')
    const { session, fill, seen } = await watched({ summarizer })
    await fill(0.75)
    await session.fit()
    await seen('preparation-finished')
    await session.say('Never touch the lockfile.')
    await fill(1)
    await session.fit()
    const texts = session.messages().map(messageText)
    expect(texts.filter((text) => text === 'Never touch the lockfile.')).toHaveLength(1)
    expect(texts.filter((text) => text.startsWith('part 1:'))).toHaveLength(0)
    await session.undo()
    expect(
      session
        .messages()
        .map(messageText)
        .filter((text) => text.startsWith('part 1:')),
    ).toHaveLength(1)
  })
})
