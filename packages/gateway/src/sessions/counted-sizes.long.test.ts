import { afterEach, describe, expect, it } from 'vitest'
import { asked, started, type Started } from '../testing/started.ts'
import { hashOf } from '../identity/marks.ts'
import { CountedSizes } from './counted-sizes.ts'
import { wireNamed } from '../wires/wires.ts'
import { drawnId, wireAgents, type WireAgent } from '../testing/agents.ts'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'

const running: Started[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
})

const window = 40_000
const stepBytes = 6_000

/** A conversation that grows, and what is known of each of its requests. */
async function conversation(
  agent: WireAgent,
  bytesForToken: number,
  wordOf: (at: number) => string = () => 'word ',
) {
  const store = memoryGatewayStore()
  const one = await started(
    {
      script: ({ body }) => ({
        text: 'Next.',
        usage: { input: Math.ceil(JSON.stringify(body).length / bytesForToken), output: 2 },
      }),
    },
    { store, sessions: { window: { context: window }, summaryModel: false } },
  )
  running.push(one)
  const said: object[] = [...agent.ask('Read all parts.')]
  const next = async (step: number) => {
    const words = Array.from({ length: stepBytes / 5 }, (_, at) => wordOf(step * stepBytes + at))
    const text = `part ${step} ${words.join('')}`
    said.push(...agent.step(drawnId(step, 'a'), { path: `${step}` }, text))
    const body = agent.body({ model: 'm', said, streams: step % 2 === 0, tools: true })
    const { session, did } = await asked(one.gateway, agent.path('m', step % 2 === 0), body, agent.headers) // prettier-ignore
    return { session, did, bytes: JSON.stringify(body).length }
  }
  return { next, store, provider: one.provider }
}

describe.each(wireAgents)('a conversation over $name', (agent) => {
  it('is looked at once it may be near its window, as its provider has counted it, and not before', async () => {
    const { next, store, provider } = await conversation(agent, 4)
    let followed: number | undefined
    for (let step = 0; step < 30; step++) {
      const { session, did, bytes } = await next(step)
      if (session) followed ??= bytes
      if (did === 'compacted') break
    }
    // Two bytes might have been a token: then half of that would have been enough.
    expect(followed ?? 0).toBeGreaterThan(window * 1.8)
    // Before it is compacted, which is at three quarters of the window.
    expect(followed ?? 0).toBeLessThan(window * 2.8)
    expect(await store.sessions()).toHaveLength(1)
    expect(provider.requests.every(({ refused }) => refused === undefined)).toBe(true)
  })

  it('is looked at as early as ever where its provider counts many tokens', async () => {
    const { next } = await conversation(agent, 2.1)
    let followed: number | undefined
    for (let step = 0; followed === undefined && step < 30; step++) {
      const { session, bytes } = await next(step)
      if (session) followed = bytes
    }
    expect(followed ?? 0).toBeLessThan(window * 1.7)
  })

  it.skipIf(agent.name === 'gemini')(
    'is not compacted while its provider counts far less than is estimated',
    async () => {
      // Hashes are estimated at half of the bytes for a token that this provider counts.
      const { next } = await conversation(agent, 4, (at) => hashOf(`${at}`).slice(0, 5))
      let kept = 0
      for (let step = 0; step < 30; step++) {
        const { did, bytes } = await next(step)
        if (did === 'compacted') break
        kept = bytes
      }
      expect(kept).toBeGreaterThan(window * 4 * 0.65)
      expect(kept).toBeLessThan(window * 4)
    },
  )
})

describe('what a provider has counted', () => {
  it('says nothing of what another caller, model or provider is asked', () => {
    const sizes = new CountedSizes()
    const body = Buffer.alloc(100_000)
    const fields = new Map([['messages', { start: 0, end: body.length }]])
    const spans = { fields, elements: [], number: 1 }
    const wire = wireNamed('openai-chat')
    sizes.counted({ body, spans, wire }, 'a p m', { inputTokens: 25_000, outputTokens: 1 })
    const like = { number: 1, elements: 0, bytes: body.length }
    const next = { body, spans: { ...spans, number: 2, like }, wire }
    expect(sizes.most(next, 'a p m')).toBe(25_000)
    expect(sizes.most(next, 'b p m')).toBe(50_000)
  })
})
