import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { asked } from '../testing/started.ts'
import { budgetsOf, type Budget } from './budget.ts'
import { Ledger } from './ledger.ts'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import { metricsOf, sha256Of, startTeam, type Team } from '../testing/team.ts'
import { requestAfter } from '../postgres/testing/long-agent.ts'
import { wireAgents, type WireAgent } from '../testing/agents.ts'
import type { ServedAnswer, ServedRequest } from 'throughline/testing/provider'

const teams: Team[] = []

afterEach(async () => {
  await Promise.all(teams.splice(0).map((team) => team.close()))
})

async function team(...given: Parameters<typeof startTeam>): Promise<Team> {
  const one = await startTeam(...given)
  teams.push(one)
  return one
}

const sha256 = sha256Of('key-1')
const thousand = { keys: [{ name: 'mine', sha256, tokensPerDay: 1_000 }] }
const folder = () => mkdtempSync(join(tmpdir(), 'team-store-'))

/** Long, as its provider counts it. */
const novel: ServedAnswer = { text: 'Once upon a time.', usage: { input: 20, output: 50_000 } }

const askAs = (agent: WireAgent, streams: boolean) => (gateway: { url: string }) => {
  const body = agent.body({ model: 'm', said: agent.ask('A novel.'), streams, tools: false })
  return asked(gateway, agent.path('m', streams), body, agent.headers)
}

const doors = wireAgents.flatMap((agent) =>
  [true, false].map((streams) => ({
    name: `${agent.name}, ${streams ? 'streamed' : 'whole'}`,
    agent,
    ask: askAs(agent, streams),
  })),
)

/** Asks so many times, and says how often it was answered. */
async function served(answers: Iterable<Promise<{ status: number }>>): Promise<number> {
  const all = await Promise.all(answers)
  return all.filter(({ status }) => status === 200).length
}

/** What the clients of each API read of a refusal. */
const forms = {
  'openai-chat': { error: { code: 'insufficient_quota', type: 'insufficient_quota' } },
  'openai-responses': { error: { code: 'insufficient_quota', type: 'insufficient_quota' } },
  anthropic: { type: 'error', error: { type: 'rate_limit_error' } },
  gemini: { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } },
} as Record<string, object>

describe.each(doors)('a key with 1,000 tokens a day that asks for novels ($name)', (door) => {
  const { ask, agent } = door

  it('gets one, and then the provider’s own form of error, with the time to wait', async () => {
    const { provider, replica } = await team(thousand, () => novel)
    const gateway = await replica()
    const statuses: number[] = []
    for (let times = 0; times < 20; times++) statuses.push((await ask(gateway)).status)
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 429)])
    expect(provider.requests).toHaveLength(1)
    const refused = await ask(gateway)
    expect(JSON.parse(refused.text)).toMatchObject(forms[agent.name] as object)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('gets one where it asks for twenty at once', async () => {
    const { provider, replica } = await team(thousand, () => novel)
    const gateway = await replica()
    expect(await served(Array.from({ length: 20 }, () => ask(gateway)))).toBe(1)
    expect(provider.requests).toHaveLength(1)
  })

  it('gets none more from another replica, or after a restart', async () => {
    const { provider, replica } = await team({ ...thousand, store: folder() }, () => novel)
    const [first, second] = [await replica(), await replica()]
    expect((await ask(first)).status).toBe(200)
    expect((await ask(second)).status).toBe(429)
    await first.close()
    expect((await ask(await replica())).status).toBe(429)
    expect(provider.requests).toHaveLength(1)
  })

  it('gets one where the provider counts nothing', async () => {
    const text = 'Once upon a time. '.repeat(400)
    const { replica } = await team(thousand, () => ({ text, usage: 'none' }))
    const gateway = await replica()
    expect((await ask(gateway)).status).toBe(200)
    expect((await ask(gateway)).status).toBe(429)
  })

  it('gets as many as fit where they are short', async () => {
    const short: ServedAnswer = { text: 'Once.', usage: { input: 20, output: 20 } }
    const { replica } = await team(thousand, () => short)
    const gateway = await replica()
    expect(await served(Array.from({ length: 10 }, () => ask(gateway)))).toBe(10)
  })
})

const [chat] = wireAgents as readonly [WireAgent]
const askChat = askAs(chat, true)
const mine = (limits: object) => ({ keys: [{ name: 'mine', sha256, ...limits }] })

/** What was charged to a budget, as the operator sees it. */
async function spent(gateway: { url: string }, budget: string): Promise<number> {
  const lines = (await metricsOf(gateway)).matchAll(
    new RegExp(`^throughline_spent_total\\{budget="${budget}",how="\\w+"\\} (.+)$`, 'gm'),
  )
  return [...lines].reduce((sum, [, value]) => sum + Number(value), 0)
}

describe('a budget', () => {
  const short: ServedAnswer = { text: 'Once.', usage: { input: 400, output: 200 } }

  it('of a minute comes back with the next one, and that of a day with the next day', async () => {
    let now = Date.UTC(2026, 10, 22, 23, 58, 50)
    const limits = mine({ tokensPerMinute: 600, tokensPerDay: 1_000 })
    const { replica } = await team(limits, () => short, { now: () => now })
    const gateway = await replica()
    expect((await askChat(gateway)).status).toBe(200)
    const refused = await askChat(gateway)
    expect(refused.headers.get('retry-after')).toBe('10')
    expect(JSON.parse(refused.text).error.code).toBe('rate_limit_exceeded')
    now += 10_000
    expect((await askChat(gateway)).status).toBe(200)
    // By now the day's is gone as well.
    now += 59_000
    const spentAll = await askChat(gateway)
    expect([spentAll.status, spentAll.headers.get('retry-after')]).toEqual([429, '1'])
    expect(JSON.parse(spentAll.text).error.code).toBe('insufficient_quota')
    now += 1_000
    expect((await askChat(gateway)).status).toBe(200)
  })

  it('in dollars goes by list prices, by the operator’s, and by the dearest where nobody knows one', async () => {
    const million: ServedAnswer = { text: 'Once.', usage: { input: 1_000_000, output: 0 } }
    const prices = { own: { input: 0.5, output: 1 } }
    const { replica } = await team({ ...mine({ dollarsPerDay: 1_000 }), prices }, () => million)
    const gateway = await replica()
    const costs: number[] = []
    for (const model of ['gpt-5.1', 'own', 'm', 'constructor']) {
      const before = await spent(gateway, 'mine in dollars')
      const body = chat.body({ model, said: chat.ask('A novel.'), streams: true, tools: false })
      expect((await asked(gateway, chat.path(model, true), body, chat.headers)).status).toBe(200)
      costs.push((await spent(gateway, 'mine in dollars')) - before)
    }
    expect(costs.map((dollars) => Math.round(dollars * 100))).toEqual([125, 50, 1_500, 1_500])
    const { replica: other } = await team(mine({ dollarsPerDay: 1 }), () => million)
    const poor = await other()
    expect((await askChat(poor)).status).toBe(200)
    expect((await askChat(poor)).status).toBe(429)
  })

  it('of a team is used by all of its keys, and by nobody else', async () => {
    const keys = ['key-1', 'key-2', 'key-3'].map((key, index) => ({
      name: key,
      sha256: sha256Of(key),
      ...(index < 2 && { team: 'us' }),
    }))
    const { replica } = await team({ keys, teams: { us: { tokensPerDay: 1_000 } } }, () => novel)
    const gateway = await replica()
    const as = (key: string) =>
      asked(gateway, chat.path('m', false), chat.body(plain), { authorization: `Bearer ${key}` })
    expect((await as('key-1')).status).toBe(200)
    const refused = await as('key-2')
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('team us')])
    expect((await as('key-3')).status).toBe(200)
  })

  it('of a caller is its own, also where all share one key, over replicas, and under one name in metrics', async () => {
    const config = { identity: ['x-user'], callers: { tokensPerDay: 1_000 }, store: folder() }
    const { provider, replica } = await team(config, () => novel)
    const [one, other] = [await replica(), await replica()]
    const [agent] = wireAgents as [WireAgent]
    const body = agent.body({ model: 'm', said: agent.ask('Hi.'), streams: false, tools: false })
    const ask = async (at: { url: string }, user: string) =>
      (await asked(at, agent.path('m', false), body, { ...agent.headers, 'x-user': user })).status
    expect(await ask(one, 'anna')).toBe(200)
    expect([await ask(one, 'anna'), await ask(other, 'anna')]).toEqual([429, 429])
    expect(await ask(other, 'ben')).toBe(200)
    expect(provider.requests).toHaveLength(2)
    const metrics = (await metricsOf(one)) + (await metricsOf(other))
    expect(metrics).toContain('throughline_spent_total{budget="callers",how="counted"} 50020')
    expect(metrics).not.toMatch(/anna|ben/)
  })

  it('names a team that the configuration has', async () => {
    const { replica } = await team(mine({ team: 'nobody' }), () => short)
    await expect(replica()).rejects.toThrow(/keys\.0\.team: there is no team nobody/)
  })

  it('lets nobody spend on a websocket what cannot be counted', async () => {
    const { replica } = await team(thousand, () => novel)
    const { hostname, port } = new URL((await replica()).url)
    const socket = connect(Number(port), hostname)
    socket.write(
      'GET /v1/realtime HTTP/1.1\r\nhost: a\r\nauthorization: Bearer key-1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    )
    let said = ''
    for await (const chunk of socket) said += String(chunk)
    expect(said).toContain('403 ')
    expect(said).toContain('websocket_not_counted')
  })

  it('is charged for the summaries of its sessions', async () => {
    const isSummary = ({ tools }: ServedRequest): boolean => !tools.includes('read')
    const script = (request: ServedRequest): ServedAnswer =>
      isSummary(request) ? novel : { text: 'Next.', usage: { input: 20, output: 20 } }
    const sessions = { window: { context: 16_000 } }
    const { provider, replica } = await team(
      { ...mine({ tokensPerDay: 90_000 }), sessions },
      script,
    )
    const gateway = await replica()
    const summaries = () => provider.requests.filter(isSummary).length
    const statuses: number[] = []
    for (let steps = 20; steps < 120 && !statuses.includes(429); steps += 2) {
      const body = requestAfter(steps, 'a')
      statuses.push((await asked(gateway, chat.path('m', true), body, chat.headers)).status)
    }
    // Of 40 tokens each, there would be more than 2,000.
    expect(statuses).toContain(429)
    expect(summaries()).toBeGreaterThan(1)
    expect(await spent(gateway, 'mine')).toBeGreaterThan(100_000)
  })

  it('is charged for each answer in which a tool of the gateway is called', async () => {
    const script = ({ said }: ServedRequest): ServedAnswer => ({
      usage: { input: 100, output: 100 },
      ...(said.some(({ type }) => type === 'result')
        ? { text: 'Once.' }
        : { calls: [{ name: 'recall', input: { words: 'novel' } }] }),
    })
    const sessions = { window: { context: 16_000 }, summaryModel: false, tools: ['recall'] }
    const { provider, replica } = await team(
      { ...mine({ tokensPerDay: 90_000 }), sessions },
      script,
    )
    const gateway = await replica()
    const { text } = await asked(gateway, chat.path('m', false), chat.body({ ...plain, tools: true }), chat.headers) // prettier-ignore
    expect(text).toContain('Once.')
    expect(provider.requests).toHaveLength(2)
    expect(await spent(gateway, 'mine')).toBe(400)
  })

  it('is charged for what the gateway passes on unread', async () => {
    const answers: Record<string, string> = {
      '/v1/completions': JSON.stringify({
        choices: [{ text: 'Once.' }],
        usage: { prompt_tokens: 20, completion_tokens: 5_000 },
      }),
      '/v1/embeddings': JSON.stringify({
        data: [{ embedding: Array(9_000).fill(0.1) }],
        usage: { prompt_tokens: 300, total_tokens: 300 },
      }),
    }
    const server = createServer((incoming, outgoing) => {
      outgoing.setHeader('content-type', 'application/json')
      incoming.resume().on('end', () => outgoing.end(answers[incoming.url ?? '']))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const openai = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const config = { ...mine({ tokensPerDay: 90_000 }), upstreams: { openai } }
    const { replica } = await team(config, () => novel)
    const gateway = await replica()
    await asked(gateway, '/v1/completions', { prompt: 'A novel.' }, chat.headers)
    expect(await spent(gateway, 'mine')).toBe(5_020)
    await asked(gateway, '/v1/embeddings', { input: 'A novel.' }, chat.headers)
    expect(await spent(gateway, 'mine')).toBe(5_320)
    server.close()
  })

  it('counts what an answer took that its client broke off, or that has broken off', async () => {
    const text = 'and so on '.repeat(1_000)
    for (const answer of [
      { text, pace: 5, usage: 'none' },
      { text, breaks: true },
    ] satisfies ServedAnswer[]) {
      const { replica } = await team(thousand, () => answer)
      const gateway = await replica()
      const gone = new AbortController()
      const body = JSON.stringify(chat.body({ ...plain, streams: true }))
      const headers = { 'content-type': 'application/json', ...chat.headers }
      const init = { method: 'POST', body, headers, signal: gone.signal }
      const came = await fetch(gateway.url + chat.path('m', true), init)
      const reader = came.body?.getReader()
      let bytes = 0
      const reading = (async () => {
        for (;;) {
          const { value, done } = (await reader?.read()) ?? { done: true }
          if (done) return
          bytes += value.length
          if (bytes > 60_000) gone.abort()
        }
      })()
      await reading.catch(() => {})
      await expect.poll(async () => (await askChat(gateway)).status).toBe(429)
    }
  })

  it.each([
    ['a whole answer', false, { hangs: 'before' }],
    ['a stream that thinks and says nothing', true, { text: 'Hm.', hangs: 'after-text' }],
  ] as const)(
    'counts what a model may have written for a client that did not wait for %s',
    async (_, streams, answer) => {
      let now = Date.UTC(2026, 10, 22, 12)
      const { provider, replica } = await team(thousand, () => answer, { now: () => now })
      const gateway = await replica()
      const gone = new AbortController()
      const body = JSON.stringify(chat.body({ ...plain, streams }))
      const headers = { 'content-type': 'application/json', ...chat.headers }
      const init = { method: 'POST', body, headers, signal: gone.signal }
      const came = fetch(gateway.url + chat.path('m', streams), init)
      await expect.poll(() => provider.requests.length).toBe(1)
      if (streams) await (await came).body?.getReader().read()
      now += 30_000
      gone.abort()
      await came.catch(() => {})
      await expect.poll(() => spent(gateway, 'mine')).toBeGreaterThan(3_000)
      expect(await spent(gateway, 'mine')).toBeLessThan(4_000)
    },
  )

  it('counts what is written in the background as the longest that it may be', async () => {
    const queued = { object: 'response', model: 'm', status: 'queued', background: true }
    const server = createServer((incoming, outgoing) => {
      outgoing.setHeader('content-type', 'application/json')
      incoming.resume().on('end', () => outgoing.end(JSON.stringify(queued)))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const openai = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const { replica } = await team({ ...thousand, upstreams: { openai } }, () => novel)
    const gateway = await replica()
    const body = { model: 'm', input: 'A novel.', background: true, max_output_tokens: 50_000 }
    expect((await asked(gateway, '/v1/responses', body, chat.headers)).status).toBe(200)
    expect(await spent(gateway, 'mine')).toBeGreaterThan(50_000)
    server.close()
  })

  it('counts nothing for what never reached a provider, or what it refused', async () => {
    const { replica, write } = await team(thousand, () => ({ refuses: 'failure' }))
    const gateway = await replica()
    expect((await askChat(gateway)).status).toBe(500)
    write({ ...thousand, upstreams: { openai: 'http://127.0.0.1:1' } })
    gateway.reload()
    expect((await askChat(gateway)).status).toBe(502)
    expect(await spent(gateway, 'mine')).toBe(0)
  })
})

const plain = { model: 'm', said: chat.ask('A novel.'), streams: false, tools: false }

describe('where the store cannot be reached', () => {
  const store = 'postgres://nobody@127.0.0.1:1/x'

  it('a key that fails closed is not served, and is told to come back', async () => {
    const config = { ...mine({ tokensPerDay: 1_000, failClosed: true }), store }
    const { provider, replica } = await team(config, () => novel)
    const refused = await askChat(await replica())
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(JSON.parse(refused.text)).toMatchObject({ error: { type: 'server_error' } })
    expect(provider.requests).toHaveLength(0)
  })

  it('any other key is served, and counted by each replica alone', async () => {
    const { provider, replica } = await team({ ...thousand, store }, () => novel)
    const gateway = await replica()
    expect((await askChat(gateway)).status).toBe(200)
    expect((await askChat(gateway)).status).toBe(429)
    expect(provider.requests).toHaveLength(1)
  })
})

describe('a replica', () => {
  it('asks the store seldom while much is left, and shares what is little to the last token', async () => {
    const store = memoryGatewayStore()
    let calls = 0
    const counting = {
      spend: (...given: Parameters<typeof store.spend>) => {
        calls += 1
        return store.spend(...given)
      },
    }
    const options = { store: counting, now: () => Date.UTC(2026, 10, 22), onProblem: () => {} }
    const ledgers = [new Ledger(options), new Ledger(options)]
    const [budget] = budgetsOf(
      { tokensPerDay: 100_000 },
      { id: 'mine', name: 'mine', whose: 'The key mine', failClosed: false },
    ) as [Budget]
    let total = 0
    for (let turn = 0; total < 100_000; turn++) {
      const hold = await (ledgers[turn % 2] as Ledger).hold([budget], cost(100))
      if ('why' in hold) break
      hold.settle(cost(100))
      total += 100
    }
    expect(total).toBe(100_000)
    expect(calls).toBeLessThan(200)
    for (const ledger of ledgers) {
      expect(await ledger.shortage([budget])).toMatchObject({ why: 'spent' })
    }
  })

  it('tells the others at once what took more than was expected', async () => {
    const options = { store: memoryGatewayStore(), now: () => Date.UTC(2026, 10, 22), onProblem: () => {} } // prettier-ignore
    const [one, other] = [new Ledger(options), new Ledger(options)]
    const [budget] = budgetsOf(
      { tokensPerDay: 100_000 },
      { id: 'mine', name: 'mine', whose: 'The key mine', failClosed: false },
    ) as [Budget]
    const hold = await one.hold([budget], cost(10))
    if ('settle' in hold) hold.settle(cost(100_000))
    expect(await other.shortage([budget])).toMatchObject({ why: 'spent' })
  })

  it('gives back what it took and did not use', async () => {
    const store = memoryGatewayStore()
    const options = { store, now: () => Date.UTC(2026, 10, 22), onProblem: () => {} }
    const ledger = new Ledger(options)
    const [budget] = budgetsOf(
      { tokensPerDay: 100_000 },
      { id: 'mine', name: 'mine', whose: 'The key mine', failClosed: false },
    ) as [Budget]
    const hold = await ledger.hold([budget], cost(50_000))
    if ('settle' in hold) hold.settle(cost(30))
    await ledger.close()
    expect(await store.spend('mine', '2026-11-22', 0)).toBe(30)
  })
})

const cost = (tokens: number) => ({ tokens, microdollars: 0 })
