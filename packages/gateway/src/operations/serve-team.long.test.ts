import { createHash } from 'node:crypto'
import { connect, createServer, type AddressInfo } from 'node:net'
import { createServer as createHttpServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { propagation, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterEach, describe, expect, it } from 'vitest'
import {
  startProvider,
  type ProviderScript,
  type ScriptedProvider,
} from 'throughline/testing/provider'
import { asked } from '../testing/started.ts'
import { GatewayConfigError, teamConfig } from './config.ts'
import { keysIn } from '../encryption/own-key.ts'
import { requestAfter } from '../postgres/testing/long-agent.ts'
import { periodOf } from '../budgets/budget.ts'
import { sqliteGatewayStore } from '../store/sqlite-gateway-store.ts'
import { startTeamGateway, type TeamGateway } from './serve-team.ts'

const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

interface Team {
  gateway: TeamGateway
  provider: ScriptedProvider
  lines: string[]
  write: (config: object) => void
}

const admin = 'the-token-of-the-operator'
const secret = 'sk-live-0123456789abcdef'
const dayOf = (at: number) => periodOf({ per: 'day' }, at)
const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')

async function team(
  config: object = {},
  script: ProviderScript = () => ({ text: 'Next.' }),
): Promise<Team> {
  const provider = await startProvider({ script })
  const file = join(mkdtempSync(join(tmpdir(), 'team-')), 'gateway.json')
  const lines: string[] = []
  const write = (more: object): void =>
    writeFileSync(
      file,
      JSON.stringify({
        host: '127.0.0.1',
        port: 0,
        upstreams: { openai: `${provider.url}/v1` },
        sessions: { window: { context: 16_000 }, summaryModel: false },
        ...more,
      }),
    )
  write(config)
  const gateway = await startTeamGateway({
    configFile: file,
    env: { THROUGHLINE_ADMIN_TOKEN: admin },
    logTo: { write: (line) => void lines.push(line) },
  })
  ends.push(async () => {
    await gateway.close()
    await provider.close()
  })
  return { gateway, provider, lines, write }
}

const path = '/v1/chat/completions'
const ask = (gateway: TeamGateway, steps: number, key = secret, more: object = {}) =>
  asked(gateway, path, { ...requestAfter(steps, 'a'), ...more }, { authorization: `Bearer ${key}` })
const metricsOf = async (gateway: TeamGateway) =>
  (await fetch(`${gateway.url}/metrics`, { headers: { authorization: `Bearer ${admin}` } })).text()

/** A key that may ask once. */
const budget = { keys: [{ name: 'mine', sha256: hashOf(secret), tokensPerDay: 100 }] }
/** An answer that nobody waits for to the end. */
const endless: ProviderScript = () => ({ text: 'and '.repeat(10_000), pace: 50, chunk: 1 })
const streamed = {
  method: 'POST',
  body: JSON.stringify(requestAfter(3, 'a')),
  headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
}
/** How a request is met that costs nothing. */
const admitted = async (gateway: TeamGateway) =>
  (await fetch(`${gateway.url}/v1/models`, { headers: streamed.headers })).status

/** Bytes as nobody’s HTTP library would send them. */
async function raw(gateway: TeamGateway, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  let said = ''
  socket.on('data', (chunk) => (said += chunk.toString()))
  socket.on('error', () => {})
  socket.write(bytes)
  await once(socket, 'close')
  return said
}

describe('a gateway for a team', () => {
  it('says at its start that what it keeps in a folder is not encrypted', async () => {
    const { lines } = await team({ store: mkdtempSync(join(tmpdir(), 'team-store-')) })
    expect(lines.filter((line) => line.includes('not encrypted'))).toHaveLength(1)
  })

  it('counts what it does, and names no session and no content', async () => {
    const { gateway } = await team()
    await ask(gateway, 60)
    await ask(gateway, 61)
    const text = await metricsOf(gateway)
    expect(text).toMatch(/throughline_did_total\{did="compacted"\} 1/)
    expect(text).toMatch(/throughline_requests_total\{status="200",key="other"\} 2/)
    expect(text).toMatch(/throughline_compactions_total/)
    expect(text).not.toContain('gw-')
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(401)
  })

  it('counts by key, API, model and how it ended, with what was saved, in a bounded number of names', async () => {
    const keys = [{ name: 'mine', sha256: hashOf(secret) }]
    const prices = { m: { input: 1_000_000, output: 0 } }
    const { gateway, provider } = await team({ keys, prices }, ({ body }) =>
      body['model'] === 'm' ? { text: 'Next.' } : { refuses: 'rate-limit' },
    )
    await ask(gateway, 60)
    for (let each = 0; each < 40; each++) await ask(gateway, 1, secret, { model: `m-${each}` })
    await fetch(gateway.url + path, { ...streamed, body: '[' })
    const text = await metricsOf(gateway)
    const counted = (name: string) =>
      Number(new RegExp(`^throughline_${name} (.+)$`, 'm').exec(text)?.[1])
    const labels = 'key="mine",wire="openai-chat"'
    expect(counted(`answers_total\\{${labels},model="m",outcome="answered"\\}`)).toBe(1)
    expect(counted(`answers_total\\{${labels},model="other",outcome="provider_error"\\}`)).toBe(40)
    expect(counted('provider_errors_total\\{wire="openai-chat",status="429"\\}')).toBe(40)
    expect(counted('first_byte_seconds_count\\{wire="openai-chat"\\}')).toBe(42)
    const [sent] = provider.requests
    const share = JSON.stringify(requestAfter(60, 'a')).length / JSON.stringify(sent?.body).length
    const input = counted('provider_tokens_total\\{of="input"\\}')
    const saved = counted('saved_tokens_total\\{model="m"\\}')
    expect(saved / input).toBeCloseTo(share - 1, 1)
    expect(counted('saved_dollars_total\\{model="m"\\}')).toBeCloseTo(saved, -1)
    for (const name of ['sessions_queued', 'store_connections', 'store_waiting', 'store_out']) {
      expect(counted(name)).toBe(0)
    }
  })

  it('counts what it refuses, and what does not reach its provider, by API and model', async () => {
    const keys = [{ name: 'mine', sha256: hashOf(secret), models: ['m', 'other'] }]
    const { gateway, provider } = await team({ keys })
    expect((await ask(gateway, 1, secret, { model: 'dear' })).status).toBe(403)
    expect((await ask(gateway, 1, secret, { model: 'm' })).status).toBe(200)
    await provider.close()
    expect((await ask(gateway, 1, secret, { model: 'm' })).status).toBe(502)
    const text = await metricsOf(gateway)
    const labels = 'key="mine",wire="openai-chat"'
    expect(text).toContain(`throughline_answers_total{${labels},model="other",outcome="refused"} 1`)
    expect(text).toContain(`throughline_answers_total{${labels},model="m",outcome="unreached"} 1`)
    expect(text).not.toMatch(/^throughline_provider_errors_total\{/m)
  })

  it('has a dashboard whose panels show what it counts', async () => {
    const { gateway } = await team()
    const text = await metricsOf(gateway)
    const file = new URL('../../grafana-dashboard.json', import.meta.url)
    const dashboard = readFileSync(file, 'utf8')
    const names = new Set(dashboard.match(/\b(?:throughline|nodejs|process)_[a-z0-9_]+/g))
    expect(names.size).toBeGreaterThan(15)
    const base = (name: string) => name.replace(/_(?:bucket|count|sum)$/, '')
    const missing = [...names].filter((name) => !text.includes(`# TYPE ${base(name)} `))
    expect(missing).toEqual([])
    const own = text.match(/(?<=# TYPE )throughline_\w+/g) ?? []
    expect(own.filter((name) => ![...names].some((one) => base(one) === name))).toEqual([])
  })

  it('joins the trace that a request names, with the names of what was asked of the model', async () => {
    const exporter = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    })
    trace.setGlobalTracerProvider(provider)
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
    ends.push(async () => {
      trace.disable()
      propagation.disable()
    })
    const { gateway } = await team()
    const id = '0af7651916cd43dd8448eb211c80319c'
    await asked(gateway, path, requestAfter(60, 'a'), {
      traceparent: `00-${id}-b7ad6b7169203331-01`,
    })
    await expect.poll(() => exporter.getFinishedSpans().length).toBe(1)
    const [span] = exporter.getFinishedSpans()
    expect(span?.spanContext().traceId).toBe(id)
    expect(span?.parentSpanContext?.spanId).toBe('b7ad6b7169203331')
    expect(span?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'm',
      'gen_ai.usage.input_tokens': expect.any(Number),
      'throughline.did': 'compacted',
    })
  })

  it('names each request in its log as its client, or its proxy, has named it', async () => {
    const { gateway, lines } = await team()
    const named = await asked(gateway, path, requestAfter(1, 'a'), { 'x-request-id': 'mine-1' })
    expect(named.headers.get('x-throughline-request')).toBe('mine-1')
    const odd = await asked(gateway, path, requestAfter(1, 'a'), { 'x-request-id': '"; drop' })
    const own = odd.headers.get('x-throughline-request')
    expect(own).toMatch(/^[\w-]{36}$/)
    const ids = lines.map((line) => JSON.parse(line).id).filter((id) => id !== undefined)
    expect(ids).toEqual(['mine-1', own])
  })

  it('writes logs without content, queries and keys, also where something fails', async () => {
    const { gateway, lines } = await team()
    await ask(gateway, 60)
    await fetch(`${gateway.url}/v1/models?key=${secret}`)
    await fetch(gateway.url + path, {
      method: 'POST',
      body: '{"model": "m", "messages": [{"role": "user", "content": "marigold',
      headers: { authorization: `Bearer ${secret}` },
    })
    const log = lines.join('')
    expect(log).toContain('"did":"compacted"')
    for (const word of [secret, 'marigold', 'Never edit', 'part 1']) expect(log).not.toContain(word)
  })

  it('lets each caller list and delete its own sessions, and no one else’s', async () => {
    const { gateway } = await team({ sessionInterface: 'callers' })
    const { session } = await ask(gateway, 60)
    const call = (method: string, at: string, headers: Record<string, string>) =>
      fetch(gateway.url + at, { method, headers })
    const mine = { authorization: `Bearer ${secret}` }
    const other = { authorization: 'Bearer sk-other' }
    expect(await (await call('GET', '/throughline/sessions', mine)).text()).toContain(session)
    expect(await (await call('GET', '/throughline/sessions', other)).text()).not.toContain(session)
    const keyless = await asked(gateway, path, requestAfter(60, 'b'))
    expect(keyless.session).toBeTruthy()
    expect((await call('GET', '/throughline/sessions', {})).status).toBe(403)
    expect((await call('DELETE', `/throughline/sessions/${keyless.session}`, {})).status).toBe(403)
    const byOperator = { 'x-throughline-admin': admin }
    const deleted = await call('DELETE', `/throughline/sessions/${keyless.session}`, byOperator)
    expect(deleted.status).toBe(204)
    // The operator deletes what they like, and reads nothing.
    expect((await call('GET', `/throughline/sessions/${session}`, byOperator)).status).toBe(403)
    expect((await call('DELETE', `/throughline/sessions/${session}`, other)).status).toBe(404)
    expect(
      (await call('DELETE', `/throughline/sessions/${session}`, { 'x-throughline-admin': 'x' }))
        .status,
    ).toBe(403)
    expect((await ask(gateway, 61)).did).toBe('kept')
    expect((await call('DELETE', `/throughline/sessions/${session}`, mine)).status).toBe(204)
    expect(
      await (await call('GET', '/throughline/sessions', { 'x-throughline-admin': admin })).json(),
    ).toEqual({
      sessions: [],
    })
  })

  it('tells callers who share a key apart by the headers that its configuration names', async () => {
    const { gateway, write } = await team({ sessionInterface: 'callers', identity: ['X-User'] })
    const as = (user: string) => ({ authorization: `Bearer ${secret}`, 'x-user': user })
    const { session } = await asked(gateway, path, requestAfter(60, 'a'), as('ada'))
    const seen = async (headers: Record<string, string>) =>
      (await fetch(`${gateway.url}/throughline/sessions/${session}`, { headers })).status
    expect([await seen(as('ada')), await seen(as('bob')), await seen(as(''))]).toEqual([
      200, 404, 403,
    ])
    write({ sessionInterface: 'callers', identity: ['x-person'] })
    gateway.reload()
    expect(await seen(as('ada'))).toBe(403)
    expect(await seen({ ...as(''), 'x-person': 'ada' })).toBe(200)
  })

  it('writes no link to a report in its log', async () => {
    const { gateway, lines } = await team({ sessionInterface: 'callers', reportLinks: true })
    await fetch(`${gateway.url}/throughline/report?link=marigold`)
    expect(lines.join('')).not.toContain('marigold')
  })

  it('serves known keys alone, where it is told to, within their models and their number', async () => {
    const keys = [{ name: 'one', sha256: hashOf(secret), concurrent: 1, models: ['m'] }]
    let answer: () => void = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    const { gateway } = await team({ keys, onlyKnownKeys: true }, async () => {
      await held
      return { text: 'Next.' }
    })
    expect((await ask(gateway, 1, 'sk-unknown')).status).toBe(401)
    expect((await ask(gateway, 1, secret, { model: 'dear' })).status).toBe(403)
    const both = [ask(gateway, 1), ask(gateway, 1)]
    // The other one has no answer before this one is refused.
    expect((await Promise.race(both)).status).toBe(429)
    answer()
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 429])
    expect((await ask(gateway, 1)).status).toBe(200)
    expect(await metricsOf(gateway)).toMatch(/throughline_refused_total\{why="unknown_key"\} 1/)
  })

  it('serves a key within its models also where it asks in one text', async () => {
    const keys = [{ name: 'one', sha256: hashOf(secret), models: ['m'] }]
    const { gateway } = await team({ keys, onlyKnownKeys: true }, () => ({ text: 'Next.' }))
    const asking = async (model: string): Promise<number> => {
      const { status } = await fetch(`${gateway.url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, input: 'Say yes.' }),
      })
      return status
    }
    expect(await asking('dear')).toBe(403)
    expect(await asking('m')).not.toBe(403)
  })

  it('serves a key within its models also where it names others for a router', async () => {
    const keys = [{ name: 'one', sha256: hashOf(secret), models: ['m', 'n'] }]
    const { gateway } = await team({ keys }, () => ({ text: 'Next.' }))
    expect((await ask(gateway, 1, secret, { models: ['n'] })).status).toBe(200)
    expect((await ask(gateway, 1, secret, { models: ['n', 'dear'] })).status).toBe(403)
    expect((await ask(gateway, 1, secret, { model: undefined, models: ['dear'] })).status).toBe(403)
    expect((await ask(gateway, 1, secret, { model: undefined })).status).toBe(403)
  })

  it('takes a place for nobody whose request has not come', async () => {
    const { gateway } = await team({ limits: { concurrent: 1 } }, () => ({ text: 'Next.' }))
    const { hostname, port } = new URL(gateway.url)
    const waiting = Array.from({ length: 20 }, () => connect(Number(port), hostname))
    for (const socket of waiting) {
      socket.on('error', () => undefined)
      socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-length: 99\r\n\r\n{')
    }
    expect((await ask(gateway, 1)).status).toBe(200)
    for (const socket of waiting) socket.destroy()
  })

  it('leaves places for others, however many requests a caller has under way', async () => {
    const { gateway } = await team({ limits: { concurrent: 4 } }, endless)
    const gone = new AbortController()
    const ask = async (key: string): Promise<number> => {
      const headers = { ...streamed.headers, authorization: `Bearer ${key}` }
      const init = { ...streamed, headers, signal: gone.signal }
      return (await fetch(gateway.url + path, init)).status
    }
    const statuses: number[] = []
    for (let times = 0; times < 6; times++) statuses.push(await ask('one'))
    expect(statuses).toEqual([200, 200, 503, 503, 503, 503])
    expect(await ask('two')).toBe(200)
    gone.abort()
    expect(await metricsOf(gateway)).toContain('refused_total{why="too_many_requests"} 4')
  })

  it('counts whose body does not come, or finds no room', async () => {
    const limits = { bodySeconds: 1, bodies: 1_000, body: 2_000 }
    const { gateway } = await team({ limits })
    const { hostname, port } = new URL(gateway.url)
    const slow = connect(Number(port), hostname)
    slow.write('POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-length: 99\r\n\r\n{')
    const send = async (length: number): Promise<number> => {
      const body = 'x'.repeat(length)
      return (await fetch(gateway.url + path, { method: 'POST', body })).status
    }
    expect([await send(1_500), await send(3_000)]).toEqual([503, 413])
    await once(slow.resume(), 'end')
    const metrics = await metricsOf(gateway)
    for (const why of ['too_many_bytes', 'body_too_large', 'request_timeout']) {
      expect(metrics).toContain(`throughline_refused_total{why="${why}"} 1`)
    }
  })

  it('refuses a key that has spent its tokens of the day', async () => {
    const { gateway } = await team(budget)
    expect((await ask(gateway, 1)).status).toBe(200)
    await expect.poll(() => admitted(gateway)).toBe(429)
    // Before the next day begins, there is nothing to be had.
    const refused = await ask(gateway, 1)
    const left = Number(refused.headers.get('retry-after')) * 1_000
    expect(dayOf(Date.now() + left)).not.toBe(dayOf(Date.now()))
    expect((await ask(gateway, 1, 'sk-other')).status).toBe(200)
  })

  it('counts what a request has that says no length, that is packed, or that asks for no answer', async () => {
    const body = JSON.stringify({ ...requestAfter(3, 'a'), stream: false })
    const { 'content-type': type, ...key } = streamed.headers
    const inPieces = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(body))
        controller.close()
      },
    })
    const other = createHttpServer((_, answer) => answer.end('{}')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    ends.push(async () => void other.close())
    const openai = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1`
    for (const [to, init] of [
      [path, { body: inPieces, duplex: 'half' }],
      [path, { body: gzipSync(body), headers: { ...key, 'content-encoding': 'gzip' } }],
      ['/v1/embeddings', { body: JSON.stringify({ input: 'word '.repeat(100) }) }],
    ] as [string, RequestInit][]) {
      const keys = [{ ...budget.keys[0], tokensPerDay: to === path ? 1_000 : 100 }]
      const { gateway } = await team({ keys, upstreams: { openai } })
      const headers = { 'content-type': type, ...key, ...init.headers }
      await (await fetch(gateway.url + to, { method: 'POST', ...init, headers })).text()
      await expect.poll(() => admitted(gateway), { timeout: 20_000 }).toBe(429)
    }
  })

  it('counts nothing for what the provider has refused', async () => {
    const { gateway } = await team(budget, () => ({ refuses: 'rate-limit' }))
    expect((await ask(gateway, 3)).status).toBe(429)
    expect((await ask(gateway, 3)).headers.get('x-throughline-did')).toBe('nothing')
    expect(await admitted(gateway)).not.toBe(429)
  })

  it('takes one key of a request, so that a limited one hides behind no other', async () => {
    const { gateway } = await team({ ...budget, onlyKnownKeys: false })
    const mine = { authorization: `Bearer ${secret}` }
    const others: [string, Record<string, string>][] = [
      ['', { ...mine, 'x-api-key': 'sk-other' }],
      ['', { authorization: 'Bearer sk-other', 'x-api-key': secret }],
      [`?key=sk-other&key=${secret}`, {}],
    ]
    for (const [search, headers] of others) {
      const at = `${gateway.url}/v1/models${search}`
      const answer = await fetch(at, { headers })
      expect([answer.status, (await answer.json()).error.code]).toEqual([400, 'several_keys'])
    }
    const twice = await fetch(`${gateway.url}/v1/models`, {
      headers: { ...mine, 'x-api-key': secret },
    })
    expect(twice.status).not.toBe(400)
  })

  it('counts what an answer cost that its client broke off', async () => {
    const { gateway, lines } = await team(budget, endless)
    const gone = new AbortController()
    const answer = await fetch(gateway.url + path, { ...streamed, signal: gone.signal })
    await answer.body?.getReader().read()
    gone.abort()
    await expect.poll(() => admitted(gateway)).toBe(429)
    // Nobody got that answer, whatever the provider said first.
    const text = await metricsOf(gateway)
    expect(text).toMatch(/throughline_requests_total\{status="499",key="mine"\} 1/)
    expect(text).not.toMatch(/status="200",key="mine"/)
    expect(lines.join('')).toMatch(/"status":499/)
  })

  it('counts what an answer cost that was broken off at the end', async () => {
    const store = mkdtempSync(join(tmpdir(), 'team-store-'))
    const { gateway, lines } = await team({ ...budget, store, drainSeconds: 0.2 }, endless)
    const answer = await fetch(gateway.url + path, streamed)
    const broken = expect(answer.text()).rejects.toThrow()
    await gateway.close()
    await broken
    expect(lines.join('')).toContain('broken off')
    const after = sqliteGatewayStore({ folder: store })
    expect(await after.spend('mine', dayOf(Date.now()), 0)).toBeGreaterThan(100)
    await after.close()
    ends.splice(0)
  })

  it('says that sessions end with it where nobody has named a store', async () => {
    const { lines } = await team()
    expect(lines.filter((line) => line.includes('THROUGHLINE_STORE'))).toHaveLength(1)
    const folder = mkdtempSync(join(tmpdir(), 'team-store-'))
    expect((await team({ store: folder })).lines.join('')).not.toContain('THROUGHLINE_STORE')
  })

  it('says at once that its store cannot be used, and what to do', async () => {
    const { lines, gateway } = await team({ store: 'postgres://nobody@127.0.0.1:1/x' })
    await expect.poll(() => lines.join('')).toContain('the store cannot be used yet')
    expect(lines.filter((line) => line.includes('ECONNREFUSED'))).toHaveLength(1)
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503)
  })

  it('puts what the command line says before its file, and leaves the rest as it is', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'team-')), 'gateway.json')
    writeFileSync(file, JSON.stringify({ port: 1, sessions: { window: '16k', when: 'never' } }))
    const lines: string[] = []
    const config = { host: '127.0.0.1', port: 0, upstreams: {}, sessions: { when: 'before' } }
    const one = await startTeamGateway({
      configFile: file,
      config,
      env: {},
      logTo: { write: (line) => void lines.push(line) },
    })
    ends.push(() => one.close())
    expect(new URL(one.url).port).not.toBe('1')
    writeFileSync(file, JSON.stringify({ sessions: { window: 0 } }))
    one.reload()
    expect(lines.join('')).toContain('the configuration stays as it was')
  })

  it('takes an empty variable for one that is not set', async () => {
    const empty = await startTeamGateway({
      config: { host: '127.0.0.1', port: 0 },
      env: { THROUGHLINE_STORE: '' },
      logTo: { write: () => {} },
    })
    ends.push(() => empty.close())
    expect((await fetch(`${empty.url}/readyz`)).status).toBe(200)
  })

  it('takes a new configuration at once, and keeps the old one where the new one is wrong', async () => {
    const { gateway, write, lines } = await team()
    write({ onlyKnownKeys: true })
    gateway.reload()
    expect((await ask(gateway, 1)).status).toBe(401)
    write({ onlyKnownKeys: 'perhaps' })
    gateway.reload()
    expect((await ask(gateway, 1)).status).toBe(401)
    expect(lines.join('')).toContain('onlyKnownKeys')
    write({})
    gateway.reload()
    expect((await ask(gateway, 1)).status).toBe(200)
  })

  it('lets a running stream end when it is told to stop', async () => {
    const { gateway } = await team({}, () => ({ text: 'Next.', pace: 100, chunk: 1 }))
    const answer = await fetch(gateway.url + path, {
      method: 'POST',
      body: JSON.stringify(requestAfter(1, 'a')),
      headers: { 'content-type': 'application/json' },
    })
    const closed = gateway.close()
    expect(await answer.text()).toContain('[DONE]')
    await closed
    await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow()
    ends.splice(0)
  })
})

describe('whoever attacks a gateway', () => {
  it('gets no address of its own choosing: a request names only the path', async () => {
    const { gateway, provider } = await team()
    let reached = 0
    const bait = createServer(() => (reached += 1)).listen(0, '127.0.0.1')
    await once(bait, 'listening')
    ends.push(async () => void bait.close())
    const { port } = bait.address() as AddressInfo
    const body = JSON.stringify(requestAfter(1, 'a', false))
    const head = `host: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n`
    await raw(gateway, `POST http://127.0.0.1:${port}${path} HTTP/1.1\r\n${head}\r\n${body}`)
    await raw(gateway, `POST //127.0.0.1:${port}${path} HTTP/1.1\r\n${head}\r\n${body}`)
    await raw(gateway, `POST ${path} HTTP/1.1\r\n${head}\r\n${body}`)
    expect(reached).toBe(0)
    expect(provider.requests.at(-1)?.path).toBe(path)
    for (const climbing of ['/v1/../../admin', '/v1/%2e%2e/admin', '/v1/..%2fadmin']) {
      const said = await raw(
        gateway,
        `GET ${climbing} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      )
      expect(said).toContain('400')
    }
    // Every object has more names than its own.
    for (const name of ['nowhere', '__proto__', 'constructor', 'toString']) {
      expect((await fetch(`${gateway.url}/~${name}/v1/models`)).status).toBe(404)
    }
    const windows = { small: 1_000 }
    const named = await team({ sessions: { window: '16k', windows, summaryModel: false } })
    const { did } = await ask(named.gateway, 60, secret, { model: 'constructor' })
    expect(did).toBe('compacted')
    for (const url of ['http://169.254.169.254/', 'file:///etc/passwd', 'http://u:p@host/']) {
      expect(() => teamConfig({ upstreams: { openai: url } })).toThrow(GatewayConfigError)
    }
  })

  it('smuggles no second request into the first', async () => {
    const { gateway, provider } = await team()
    const smuggled = 'GET /v1/smuggled HTTP/1.1\r\nhost: x\r\n\r\n'
    const heads = [
      'content-length: 6\r\ntransfer-encoding: chunked',
      'transfer-encoding: chunked\r\ntransfer-encoding: identity',
      'content-length: 6\r\ncontent-length: 0',
      'transfer-encoding : chunked',
      'transfer-encoding: xchunked',
    ]
    for (const head of heads) {
      const said = await raw(
        gateway,
        `POST ${path} HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n0\r\n\r\n${smuggled}`,
      )
      expect(said.slice(0, 12), head).toBe('HTTP/1.1 400')
    }
    expect(provider.requests.filter((request) => request.path.includes('smuggled'))).toEqual([])
  })

  it('fills no memory with a body that is small only while it is packed', async () => {
    const { gateway } = await team({ limits: { body: 100_000 } })
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, 32))
    expect(bomb.length).toBeLessThan(100_000)
    const before = process.memoryUsage().rss
    const answer = await fetch(gateway.url + path, {
      method: 'POST',
      body: bomb,
      headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
    })
    await answer.arrayBuffer()
    expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * 1024)
    const long = await asked(gateway, path, { text: 'x'.repeat(200_000) })
    expect(long.status).toBe(413)
  })
})

describe('a configuration', () => {
  it('with keys of encryption is refused where nothing is encrypted', async () => {
    const key = Buffer.alloc(32, 1).toString('base64')
    const folder = mkdtempSync(join(tmpdir(), 'team-'))
    const begun = startTeamGateway({
      env: { THROUGHLINE_ENCRYPTION_KEYS: key },
      config: { host: '127.0.0.1', port: 0, store: folder },
    })
    await expect(begun).rejects.toMatchObject({ code: 'GATEWAY_CONFIG' })
    await expect(begun).rejects.toThrow(/Postgres/)
  })

  it('is refused with every problem, each at its place', () => {
    const wrong = {
      port: 99_999,
      upstreams: { openai: 'ftp://x' },
      keys: [{ name: 'a b' }],
      more: 1,
    }
    try {
      teamConfig(wrong)
      expect.unreachable()
    } catch (error) {
      expect(GatewayConfigError.isInstance(error)).toBe(true)
      for (const at of ['port', 'upstreams.openai', 'keys.0.name', 'more']) {
        expect(String(error)).toContain(at)
      }
    }
  })

  it('takes a window as the command line does, or with its parts, and says so', () => {
    const windows = { a: 32_000, b: '32k', c: { context: 32_000, output: 1_000 } }
    const { sessions } = teamConfig({ sessions: { window: '1m', windows } })
    expect(sessions).toEqual({
      window: { context: 1_000_000 },
      windows: { a: { context: 32_000 }, b: { context: 32_000 }, c: windows.c },
    })
    for (const window of ['much', 0, -1, 1.5, { content: 5 }, [], null]) {
      expect(() => teamConfig({ sessions: { window } })).toThrow(/sessions\.window: must be 200000/)
    }
  })

  it('names no service that gives away credentials, however its address is written', () => {
    for (const host of [
      '169.254.169.254',
      '2852039166',
      '0xa9fea9fe',
      '[::ffff:169.254.169.254]',
      '[fd00:ec2::254]',
      'metadata.google.internal',
      '168.63.129.16',
    ]) {
      const upstreams = { openai: `http://${host}/v1` }
      expect(() => teamConfig({ upstreams })).toThrow(GatewayConfigError)
    }
  })

  it('takes keys of encryption from the environment, of 32 bytes each', () => {
    const one = Buffer.alloc(32, 1).toString('base64')
    expect(keysIn(`${one}, ${one}`, 'here')).toHaveLength(2)
    expect(keysIn('', 'here')).toEqual([])
    expect(() => keysIn('abc', 'here')).toThrow(GatewayConfigError)
  })
})
