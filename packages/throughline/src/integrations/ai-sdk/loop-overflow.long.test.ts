import { describe, expect, test } from 'vitest'
import { agent, lines, type Agent, type AgentOptions } from '../../testing/generate/agent.ts'
import { illegalities } from '../../testing/legal.ts'
import { scriptedSummarizer } from '../../testing/scripted/scripted-summarizer.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { memoryStore } from '../../stores/memory.ts'
import { openSession } from '../../session/session.ts'
import { overflowError, type OverflowVoice } from '../../testing/overflow-errors.ts'

const off = { ...defaultPolicy, auto: false }

/** A session of so many tokens, for a model that is smaller than the session believes. */
async function outgrown(options: Partial<AgentOptions> = {}): Promise<Agent> {
  const grown = await agent({
    script: () => ({ text: 'Done.' }),
    window: { context: 200_000 },
    rules: { window: 20_000 },
    ...options,
  })
  for (let turn = 1; turn <= 10; turn++) {
    await grown.session.say(`question ${turn}: ${lines(`file-${turn}`, 3_000)}`)
    await grown.session.append({
      kind: 'message',
      at: 0,
      origin: 'model',
      finish: 'stop',
      message: { role: 'assistant', content: `answer ${turn}` },
    })
  }
  await grown.session.say('And now?')
  return grown
}

async function limits({ session }: Agent): Promise<number[]> {
  return (await session.log()).flatMap((entry) =>
    entry.kind === 'observation' && entry.observation.type === 'limit'
      ? [entry.observation.tokens]
      : [],
  )
}

describe('an overflow', () => {
  test.each<OverflowVoice>(['anthropic', 'openai', 'silent'])(
    'in the words of %s compacts once, teaches the window, and the run goes on',
    async (voice) => {
      const grown = await outgrown({ rules: { window: 20_000, voice } })
      await expect(grown.run()).resolves.toMatchObject({ reason: 'finished' })
      expect(grown.model.requests).toHaveLength(2)
      expect(grown.compactions()).toMatchObject([{ trigger: 'overflow' }])
      const [learned] = await limits(grown)
      if (voice === 'silent') expect(learned).toBeLessThan(200_000)
      else expect(learned).toBe(20_000)
      expect(grown.session.window.context).toBe(voice === 'silent' ? 200_000 : 20_000)
      expect(illegalities(grown.session.messages())).toEqual([])
      const said = JSON.stringify(grown.model.requests.at(-1)?.prompt)
      expect(said).toContain('And now?')
    },
  )

  test('that names no number is one compaction, and takes nothing of the window for later', async () => {
    const limit = 20_000
    const error = overflowError('silent', { tokens: 1, limit })
    const window = { context: 200_000 }
    const store = memoryStore()
    const grown = await outgrown({
      store,
      window,
      rules: {},
      script: ({ number }) => (number === 1 ? { error } : { text: 'Done.' }),
    })
    await grown.run()
    for (let turn = 1; turn <= 15; turn++) {
      await grown.session.say(`more ${turn}: ${lines(`other-${turn}`, 6_000)}`)
      await grown.run()
    }
    expect(grown.compactions()).toMatchObject([{ trigger: 'overflow' }])
    expect(grown.session.measure().tokens).toBeGreaterThan(60_000)
    const again = await openSession({ store, id: grown.session.id, window })
    expect(again.window).toEqual(window)
  })

  test('is not met again in the next turn', async () => {
    const grown = await outgrown()
    await grown.run()
    for (let turn = 1; turn <= 5; turn++) {
      await grown.session.say(`more ${turn}: ${lines(`other-${turn}`, 3_000)}`)
      await grown.run()
    }
    expect(grown.events.filter(({ type }) => type === 'overflow')).toHaveLength(1)
  })

  test('in the middle of a stream is met like one at its start', async () => {
    let broken = false
    const grown = await outgrown({
      rules: {},
      script: () => {
        if (broken) return { text: 'Done.' }
        broken = true
        return {
          text: 'I',
          breaks: { message: 'prompt is too long: 30000 tokens > 20000 maximum' },
        }
      },
    })
    await expect(grown.run()).resolves.toMatchObject({ reason: 'finished' })
    expect(grown.compactions()).toHaveLength(1)
    expect((await grown.session.history()).at(-1)?.message.content).toEqual([
      { type: 'text', text: 'Done.' },
    ])
  })

  test('of bytes compacts, and says nothing of the window', async () => {
    let refused = false
    const grown = await outgrown({
      rules: {},
      script: () => {
        if (refused) return { text: 'Done.' }
        refused = true
        const message = 'Request exceeds the maximum size'
        return { error: Object.assign(new Error(message), { statusCode: 413 }) }
      },
    })
    await expect(grown.run()).resolves.toMatchObject({ reason: 'finished' })
    expect(grown.compactions()).toMatchObject([{ trigger: 'overflow' }])
    expect(await limits(grown)).toEqual([])
  })

  test('that comes back after a compaction is an error that names both sizes', async () => {
    const error = overflowError('openai', { tokens: 30_000, limit: 20_000 })
    const grown = await outgrown({ rules: {}, script: () => ({ error }) })
    await expect(grown.run()).rejects.toMatchObject({
      code: 'OVERFLOW',
      reason: 'refused-again',
      limit: 20_000,
      tokens: expect.any(Number),
      cause: error,
    })
    expect(grown.compactions()).toHaveLength(1)
    expect(grown.model.requests).toHaveLength(2)
  })

  test('of a context that holds nothing to compact is an error that says so', async () => {
    const error = overflowError('openai', { tokens: 3_000, limit: 2_000 })
    const fresh = await agent({ script: () => ({ error }), window: { context: 200_000 } })
    await fresh.session.say('Hello.')
    await expect(fresh.run()).rejects.toMatchObject({ reason: 'nothing-to-compact' })
    expect(fresh.model.requests).toHaveLength(1)
  })

  test('of another kind of error is none', async () => {
    const error = Object.assign(new Error('rate limit: too many tokens'), { statusCode: 429 })
    const grown = await outgrown({ rules: {}, script: () => ({ error }) })
    await expect(grown.run()).rejects.toMatchObject({
      code: 'STEP_FAILED',
      step: 1,
      status: 429,
      retryable: true,
      cause: error,
    })
    expect(grown.compactions()).toEqual([])
  })

  test('while compaction is off is an error, and nothing is compacted or learned', async () => {
    const summarizer = scriptedSummarizer('good')
    const grown = await outgrown({ policy: off, summarizer })
    const before = (await grown.session.log()).length
    await expect(grown.run()).rejects.toMatchObject({ code: 'OVERFLOW', reason: 'off' })
    expect(await grown.session.log()).toHaveLength(before)
    expect(grown.model.requests).toHaveLength(1)
    expect(summarizer.requests).toEqual([])
  })
})

describe('off', () => {
  test('means that nothing is ever compacted unasked, on any path', async () => {
    const grown = await outgrown({ policy: off, window: { context: 8_000 } })
    const { session } = grown
    await expect(session.fit()).resolves.toMatchObject({ action: 'none', reason: 'off' })
    await expect(session.recover()).resolves.toMatchObject({ action: 'none', reason: 'off' })
    await expect(grown.run()).rejects.toMatchObject({ code: 'OVERFLOW' })
    expect(grown.compactions()).toEqual([])
    expect((await session.log()).every(({ kind }) => kind === 'message')).toBe(true)
  })

  test('still compacts for someone who asks for it', async () => {
    const grown = await outgrown({ policy: off })
    await expect(grown.session.compact()).resolves.toMatchObject({ action: 'summary' })
    await expect(grown.run()).resolves.toMatchObject({ reason: 'finished' })
  })
})
