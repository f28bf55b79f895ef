import { afterEach, describe, expect, it } from 'vitest'
import { asked, started, type Started } from '../testing/started.ts'
import { createMetrics } from '../operations/metrics.ts'
import { drawnId, wireAgents, type WireAgent } from '../testing/agents.ts'
import { dyingThread, hangingThread } from '../testing/broken-thread.ts'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import type { GatewayStore } from '../store/gateway-store.ts'

const running: Started[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
})

const [agent] = wireAgents as [WireAgent]

function body(steps: number, output = 'word '.repeat(250)): object {
  const said = [
    ...agent.ask('Read all parts.'),
    ...Array.from({ length: steps }, (_, step) =>
      agent.step(drawnId(step), { path: `${step}` }, `part ${step}: ${output}`),
    ).flat(),
  ]
  return agent.body({ model: 'm', said, streams: false, tools: true })
}

async function start(store: GatewayStore = memoryGatewayStore()): Promise<Started> {
  const settings = { window: { context: 16_000 }, summaryModel: false as const }
  const one = await started({ script: () => ({ text: 'Well.' }) }, { sessions: settings, store })
  running.push(one)
  return one
}

const broken = (): never => {
  throw new Error('the disk is full')
}

const failures: [string, (store: GatewayStore) => GatewayStore][] = [
  ['cannot be asked', (store) => ({ ...store, find: broken })],
  ['has no secret', (store) => ({ ...store, secret: async () => broken() })],
  ['cannot begin a session', (store) => ({ ...store, begin: async () => broken() })],
  [
    'cannot be read',
    (store) => ({ ...store, logs: { ...store.logs, read: async () => broken() } }),
  ],
  ['is full', (store) => ({ ...store, logs: { ...store.logs, append: async () => broken() } })],
]

describe('a request goes out as it came, and a header says so,', () => {
  it.each(failures)('where the store %s', async (_, breaks) => {
    const { gateway, provider, problems } = await start(breaks(memoryGatewayStore()))
    const sent = body(60)
    const answer = await asked(gateway, agent.path('m', false), sent, agent.headers)
    expect([answer.status, answer.did]).toEqual([200, 'forwarded'])
    expect(answer.headers.get('x-throughline-reason')).toMatch(/^failed /)
    expect(provider.requests[0]?.body).toEqual(sent)
    // It may fail at more than one place.
    expect(new Set(problems.map(String)).size).toBe(1)
  })

  it.each([
    ['hangs', { file: hangingThread, patience: 4, times: 1 }],
    // Its second request finds another thread, which is no better.
    ['ends at work', { file: dyingThread, patience: 300, times: 2 }],
  ] as const)('where the thread of the engine %s, and a metric counts it,', async (_, broken) => {
    const metrics = createMetrics({
      standing: () => ({ queued: 0, store: undefined }),
      pricesFor: () => undefined,
    })
    const one = await started(
      { script: () => ({ text: 'Well.' }) },
      {
        sessions: { window: { context: 16_000 }, summaryModel: false },
        thread: { file: broken.file(), patience: broken.patience },
        onProblem: metrics.problem,
        onAnswered: (answered) =>
          metrics.begun()({ status: answered.status, key: 'other', answered, isRefused: false }),
      },
    )
    running.push(one)
    for (let times = 1; times <= broken.times; times++) {
      const sent = body(60 + times)
      const answer = await asked(one.gateway, agent.path('m', false), sent, agent.headers)
      expect([answer.status, answer.did]).toEqual([200, 'forwarded'])
      expect(answer.text).toContain('Well.')
      expect(answer.headers.get('x-throughline-reason')).toBe('failed ENGINE_LOST')
      expect(one.provider.requests[times - 1]?.body).toEqual(sent)
      const said = await metrics.text()
      expect(said).toContain(
        `throughline_problems_total{code="ENGINE_LOST",failure=""} ${String(times)}`,
      )
      expect(said).toContain(`throughline_did_total{did="forwarded"} ${String(times)}`)
    }
  })

  it('where its newest calls have no results', async () => {
    const { gateway, provider } = await start()
    const sent = body(60) as { messages: object[] }
    sent.messages.pop()
    const answer = await asked(gateway, agent.path('m', false), sent, agent.headers)
    expect([answer.status, answer.did]).toEqual([200, 'forwarded'])
    expect(answer.headers.get('x-throughline-reason')).toBe('PENDING_CALLS')
    expect(provider.requests[0]?.body).toEqual(sent)
  })

  it('where it has no name for its session, and where it is no JSON', async () => {
    const { gateway, provider } = await start()
    const answer = await asked(gateway, agent.path('m', false), body(1), {})
    expect(answer.status).toBe(200)
    expect(provider.requests).toHaveLength(1)
    const odd = await fetch(gateway.url + agent.path('m', false), { method: 'POST', body: '{"a' })
    expect(odd.status).not.toBe(502)
  })
})

describe.each(wireAgents)('a long task over $name goes on while the store', (wired) => {
  it.each(failures)('%s', async (_, breaks) => {
    const rule = 'Never edit main.ts.'
    const one = await started(
      { script: () => ({ text: 'Well.' }), rules: { window: 16_000, strict: true } },
      {
        sessions: { window: { context: 16_000 }, summaryModel: false },
        store: breaks(memoryGatewayStore()),
      },
    )
    running.push(one)
    const said = [...wired.ask(`Read all parts. ${rule}`)]
    const sent: string[][] = []
    for (let step = 0; step < 100; step++) {
      said.push(...wired.step(drawnId(step), {}, `part ${step} ${'word '.repeat(250)}`))
      if (step < 40) continue
      const body = wired.body({ model: 'm', said, streams: true, tools: true })
      const answer = await asked(one.gateway, wired.path('m', true), body, wired.headers)
      expect(answer.status).toBe(200)
      expect(answer.text).toContain('Well.')
      if (answer.did === 'nothing') continue
      expect(answer.headers.get('x-throughline-reason')).toMatch(/^failed /)
      const { body: got } = one.provider.requests.at(-1) as { body: Record<string, unknown> }
      if (answer.did !== 'recovered') continue
      expect(JSON.stringify(got)).toContain(rule)
      sent.push((got['messages'] ?? got['input'] ?? got['contents']) as string[])
    }
    // One compaction for each growth: what was sent stays in front of the next.
    const changes = sent.filter((now, at) =>
      sent[at - 1]?.slice(0, 2).some((item, index) => differ(item, now[index])),
    )
    expect(sent.length).toBeGreaterThan(30)
    expect(changes.length).toBeLessThan(12)
  })
})

function differ(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other)
}

describe('an error of the provider', () => {
  it('is the client’s own where no smaller request would cure it', async () => {
    const one = await started({ script: () => ({ refuses: 'rate-limit', retryAfter: 500 }) })
    running.push(one)
    const answer = await asked(one.gateway, agent.path('m', false), body(60), agent.headers)
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after-ms')).toBe('500')
    expect(one.provider.requests).toHaveLength(1)
  })

  it('of the size is passed on where nothing can be made smaller', async () => {
    const one = await started({ script: () => ({ refuses: 'overflow' }) })
    running.push(one)
    const answer = await asked(one.gateway, agent.path('m', false), body(0), agent.headers)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('context_length_exceeded')
    expect(one.provider.requests.length).toBeLessThan(5)
  })

  it.each(wireAgents)(
    'inside of a stream of $name that has said nothing is cured',
    async (wired) => {
      const script = [{ refuses: 'overflow', late: true }, { text: 'Well.' }] as const
      const one = await started({ script }, { sessions: { summaryModel: false } })
      running.push(one)
      const said = [
        ...wired.ask('Read.'),
        ...Array.from({ length: 60 }, (_, step) =>
          wired.step(drawnId(step), {}, `${step} ${'word '.repeat(250)}`),
        ).flat(),
      ]
      const sent = wired.body({ model: 'm', said, streams: true, tools: true })
      const answer = await asked(one.gateway, wired.path('m', true), sent, wired.headers)
      expect([answer.status, answer.did]).toEqual([200, 'recovered'])
      expect(answer.text).toContain('Well.')
      expect(one.provider.requests).toHaveLength(2)
    },
  )

  it('behind the first word of a stream is passed on', async () => {
    const late = { text: 'I look.', refuses: 'overflow', late: true } as const
    const one = await started({ script: [late] })
    running.push(one)
    const sent = { ...body(60), stream: true }
    const answer = await asked(one.gateway, agent.path('m', true), sent, agent.headers)
    expect(answer.text).toContain('I look.')
    expect(answer.text).toContain('context_length_exceeded')
    expect(one.provider.requests).toHaveLength(1)
  })
})

describe('counting tokens', () => {
  const anthropic = wireAgents.find(({ name }) => name === 'anthropic') as WireAgent

  it('counts what would be sent, and compacts nothing', async () => {
    const { gateway, provider, problems } = await start()
    const said = (steps: number) => [
      ...anthropic.ask('Read.'),
      ...Array.from({ length: steps }, (_, step) =>
        anthropic.step(drawnId(step), {}, `${step} ${'word '.repeat(250)}`),
      ).flat(),
    ]
    const made = (steps: number) =>
      anthropic.body({ model: 'm', said: said(steps), streams: false, tools: true })
    const count = async (steps: number): Promise<number> => {
      const { text } = await asked(
        gateway,
        '/v1/messages/count_tokens',
        made(steps),
        anthropic.headers,
      )
      return (JSON.parse(text) as { input_tokens: number }).input_tokens
    }
    const whole = await count(60)
    expect(whole).toBeGreaterThan(16_000)
    const { did } = await asked(gateway, '/v1/messages', made(60), anthropic.headers)
    expect(did).toBe('compacted')
    expect(await count(60)).toBeLessThan(whole / 1.5)
    expect(await count(61)).toBeLessThan(whole / 1.5)
    expect(problems).toEqual([])
    expect(provider.requests.filter(({ path }) => !path.includes('count'))).toHaveLength(1)
  })
})
