import { accountOf, callerOf, worldOf } from '../identity/caller.ts'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { asked, started, type Started } from '../testing/started.ts'
import type { GatewayOptions } from './gateway.ts'
import { drawnId, wireAgents, type WireAgent } from '../testing/agents.ts'

const running: Started[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
})

const agent = wireAgents.find(({ name }) => name === 'anthropic') as WireAgent

function said(steps: number, whose = ''): object[] {
  return [
    ...agent.ask(`Read all parts${whose}.`),
    ...Array.from({ length: steps }, (_, step) => [
      ...agent.step(drawnId(step, whose), { path: `${step}` }, `part ${step}`),
      { role: 'assistant', content: `Part ${step} says ${'word '.repeat(250)}` },
      ...agent.ask(`Next is ${step + 1}.`),
    ]).flat(),
  ]
}

/** A session that was compacted, and how its caller asks for it. */
async function compacted(options: Partial<GatewayOptions> = {}) {
  const settings = { window: { context: 16_000 }, summaryModel: false as const }
  const script = () => ({ text: 'Next.' })
  const one = await started(
    { script },
    { sessions: settings, sessionAccess: { for: 'callers' }, ...options },
  )
  running.push(one)
  const { gateway, provider } = one
  const send = (steps: number, headers: Record<string, string> = agent.headers) =>
    asked(
      gateway,
      '/v1/messages',
      agent.body({ model: 'm', said: said(steps), streams: false, tools: true }),
      headers,
    )
  const answer = await send(60)
  const call = async (method: string, path: string, key = 'key-1', body?: object) => {
    const response = await fetch(`${gateway.url}/throughline${path}`, {
      method,
      headers: { 'x-api-key': key },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return { answer, send, call, provider, gateway, id: answer.session ?? '', url: gateway.url }
}

const own = { headers: { 'x-api-key': 'key-1' } }
/** A module that makes pages, with this code. */
const pageBy = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`
const pageModule = pageBy(
  'export const sessionPage = () => async (log, { id }) => `<title>${id}: ${log.length} entries</title>`',
)

describe('a caller', () => {
  it('is told what is not served, and no provider is', async () => {
    const { call, provider, id } = await compacted()
    const before = provider.requests.length
    expect(await call('GET', `/sessions/${id}/reports?sign=x`)).toMatchObject({ status: 404 })
    expect(await call('POST', `/sessions/${id}`)).toMatchObject({ status: 404 })
    expect(provider.requests).toHaveLength(before)
  })

  it('sees what a compaction of its own has kept', async () => {
    const { answer, call, id } = await compacted()
    expect(answer.did).toBe('compacted')
    const { body } = await call('GET', `/sessions/${id}`)
    expect(body).toMatchObject({ id, model: 'm', checkpoint: { summarizer: 'local' } })
    expect(body.checkpoint.summary).toContain('Read all parts.')
    expect((await call('GET', '/sessions')).body.sessions).toMatchObject([{ id }])
  })

  it('is told of no report in its answers, and reads one with its key', async () => {
    const { answer, id, url } = await compacted({ pageModule, reportLinks: true })
    expect([...answer.headers.keys()].join(' ')).not.toContain('report')
    const page = await fetch(`${url}/throughline/sessions/${id}/report`, own)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).toMatch(new RegExp(`^<title>${id}: \\d{3} entries`))
  })

  it('makes a link to a page that opens without its key for ten minutes, and takes it back', async () => {
    let now = Date.UTC(2026, 10, 22, 18)
    const { id, url, call, send } = await compacted({
      pageModule,
      reportLinks: true,
      now: () => now,
    })
    const made = async () => (await call('POST', `/sessions/${id}/links`)).body
    const opened = async (link: string) => (await fetch(url + link)).status
    const { url: link, until } = await made()
    expect(until).toBe('2026-11-22T18:10:00.000Z')
    expect(await (await fetch(url + link)).text()).toContain(id)
    const wrong = link.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A'))
    expect([await opened(wrong), await opened('/throughline/report')]).toEqual([404, 404])
    const { url: second } = await made()
    expect([await opened(link), await opened(second)]).toEqual([200, 200])
    expect((await call('DELETE', `/sessions/${id}/links`, 'key-2')).status).toBe(404)
    expect((await call('DELETE', `/sessions/${id}/links`)).status).toBe(204)
    expect([await opened(link), await opened(second)]).toEqual([404, 404])
    const { url: third } = await made()
    now += 10 * 60_000
    expect(await opened(third)).toBe(404)
    const { url: last } = await made()
    await call('DELETE', `/sessions/${id}`)
    await send(60)
    expect(await opened(last)).toBe(404)
  })

  it('makes no link to a session of another one, and none unless the operator wants that', async () => {
    const on = await compacted({ pageModule, reportLinks: true })
    expect((await on.call('POST', `/sessions/${on.id}/links`, 'key-2')).status).toBe(404)
    const { call, id } = await compacted({ pageModule })
    expect(await call('POST', `/sessions/${id}/links`)).toMatchObject({
      status: 403,
      body: {
        error: expect.objectContaining({
          code: 'report_links_off',
          message: expect.stringContaining('reportLinks'),
        }),
      },
    })
  })

  it('has one page made at a time, and a page that cannot be made is told', async () => {
    const slow = pageBy(
      'export const sessionPage = () => async () => { for (let end = Date.now() + 1_000; Date.now() < end; ); return "made" }',
    )
    const { id, url } = await compacted({ pageModule: slow })
    const page = () => fetch(`${url}/throughline/sessions/${id}/report`, own)
    const first = page()
    const second = await page()
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '5'])
    expect(await (await first).text()).toBe('made')
    expect((await page()).status).toBe(200)
    const broken = await compacted({ pageModule: pageBy('throw new Error("marigold")') })
    const failed = await fetch(`${broken.url}/throughline/sessions/${broken.id}/report`, own)
    expect(failed.status).toBe(503)
    expect(await failed.text()).not.toContain('marigold')
  })

  it('is answered while a page of another one is made', async () => {
    const endless = pageBy('export const sessionPage = () => () => { for (;;); }')
    const { id, url, gateway } = await compacted({ pageModule: endless })
    const gone = new AbortController()
    const { signal } = gone
    const page = fetch(`${url}/throughline/sessions/${id}/report`, { ...own, signal })
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${gateway.url}/throughline/sessions`, own)).status).toBe(200)
    gone.abort()
    await expect(page).rejects.toThrow()
  })

  it('has no session of another caller', async () => {
    const { call, id } = await compacted()
    for (const [method, path] of [
      ['GET', `/sessions/${id}`],
      ['POST', `/sessions/${id}/undo`],
      ['DELETE', `/sessions/${id}`],
    ] as const) {
      expect((await call(method, path, 'key-2')).status).toBe(404)
    }
    expect((await call('GET', '/sessions', 'key-2')).body).toEqual({ sessions: [] })
    expect((await call('GET', `/sessions/${id}`)).status).toBe(200)
  })

  it('is refused a pin that takes too much of the window, and reads no endless body', async () => {
    const { call, id } = await compacted()
    const pin = (text: string, key = 'key-1') => call('POST', `/sessions/${id}/pins`, key, { text })
    expect(await pin('Use marigold. '.repeat(3_000))).toMatchObject({
      status: 409,
      body: { error: { code: 'PIN_BUDGET' } },
    })
    expect(await pin('x'.repeat(2_000_000), 'key-2')).toMatchObject({
      status: 413,
      body: { error: { code: 'body_too_large' } },
    })
    expect((await call('GET', `/sessions/${id}`)).body.pins).toEqual([])
  })

  it('pins a text that stands in every request from then on, and takes it back', async () => {
    const { call, id, send, provider } = await compacted()
    const newest = () => JSON.stringify(provider.requests.at(-1)?.body)
    const { body } = await call('POST', `/sessions/${id}/pins`, 'key-1', { text: 'Use marigold.' })
    expect((await call('GET', `/sessions/${id}`)).body.pins).toMatchObject([
      { text: 'Use marigold.' },
    ])
    await send(61)
    expect(newest()).toContain('Use marigold.')
    expect((await call('DELETE', `/sessions/${id}/pins/${body.pinned}`)).status).toBe(200)
    // What was taken back is told to the model as that.
    await send(62)
    expect((await call('GET', `/sessions/${id}`)).body.pins).toEqual([])
    expect((await call('POST', `/sessions/${id}/pins`, 'key-1', {})).status).toBe(400)
  })

  it('lists its sessions in pages, takes them all along, and deletes them all, and nobody else’s', async () => {
    const { call, gateway, id } = await compacted()
    const begin = async (key: string, name: string): Promise<string | null> => {
      const body = agent.body({ model: 'm', said: said(60, name), streams: false, tools: true })
      return (await asked(gateway, '/v1/messages', body, { 'x-api-key': key })).session
    }
    const mine = [id, await begin('key-1', 'a'), await begin('key-1', 'b')]
    const other = await begin('key-2', 'c')
    const first = await call('GET', '/sessions?most=2')
    const second = await call('GET', `/sessions?most=2&after=${first.body.next}`)
    const listed = [...first.body.sessions, ...second.body.sessions].map((one) => one.id)
    expect(listed.toSorted()).toEqual(mine.toSorted())
    expect([first.body.sessions.length, second.body.next]).toEqual([2, undefined])
    const exportOf = (of: string, key: string) =>
      fetch(`${gateway.url}/throughline/sessions/${of}/export`, { headers: { 'x-api-key': key } })
    const lines = (await (await exportOf(id, 'key-1')).text()).trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(60)
    expect(lines.map((line) => JSON.parse(line)).length).toBe(lines.length)
    expect((await exportOf(id, 'key-2')).status).toBe(404)
    expect(await call('DELETE', '/sessions')).toEqual({ status: 200, body: { deleted: 3 } })
    expect((await call('GET', '/sessions')).body.sessions).toEqual([])
    expect((await call('GET', `/sessions/${other}`, 'key-2')).status).toBe(200)
  })

  it('deletes with its sessions what it has learned and taken, except for what it took today', async () => {
    const store = memoryGatewayStore()
    const { call, now } = { ...(await compacted({ store })), now: new Date().toISOString() }
    const [today, before] = [now.slice(0, 10), '2020-01-01']
    const secret = await store.secret()
    const kept = async (key: string) => {
      const of = callerOf({ headers: { 'x-api-key': key }, search: '' })
      const [world, account] = [worldOf(secret, 'anthropic', of), accountOf(secret, of)]
      const spent = (day: string) => store.spend(account, day, 0)
      const counts = async () => [
        (await store.learned(world)).length,
        await spent(before),
        await spent(today),
      ]
      return { world, account, counts }
    }
    const [mine, other] = [await kept('key-1'), await kept('key-2')]
    for (const { world, account } of [mine, other]) {
      const learned = { context: 9_000, isNamed: true, at: Date.now() }
      await store.learn(world, { base: 'http://p', model: 'm' }, learned)
      await store.spend(account, before, 5)
      await store.spend(account, today, 5)
    }
    expect(await call('DELETE', '/sessions')).toMatchObject({ status: 200 })
    expect(await mine.counts()).toEqual([0, 0, 5])
    expect(await other.counts()).toEqual([1, 5, 5])
  })

  it('is told in the words of its provider that there is nothing to export', async () => {
    const { url } = await compacted()
    const exported = async (headers: Record<string, string>) => {
      const answer = await fetch(`${url}/throughline/sessions/gw-none/export`, { headers })
      return { status: answer.status, type: answer.headers.get('content-type'), error: await answer.json() } // prettier-ignore
    }
    const message = 'There is no such session of yours: ask with the key with which it asks.'
    const told = { status: 404, type: 'application/json' }
    expect(await exported({ 'x-api-key': 'key-1', 'anthropic-version': '2023-06-01' })).toEqual({
      ...told,
      error: { type: 'error', error: { type: 'not_found_error', message } },
    })
    expect(await exported({ authorization: 'Bearer key-1' })).toEqual({
      ...told,
      error: { error: { type: 'invalid_request_error', code: 'not_found', param: null, message } },
    })
    expect(await exported({ 'x-goog-api-key': 'key-1' })).toEqual({
      ...told,
      error: { error: { code: 404, status: 'NOT_FOUND', message } },
    })
  })

  it('undoes a compaction once, and deletes all of a session', async () => {
    const { call, id, send } = await compacted()
    expect((await call('POST', `/sessions/${id}/undo`)).body.undone.kind).toBeTypeOf('string')
    expect((await call('POST', `/sessions/${id}/undo`)).status).toBe(409)
    expect((await call('DELETE', `/sessions/${id}`)).status).toBe(204)
    expect((await call('GET', `/sessions/${id}`)).status).toBe(404)
    // It begins anew.
    expect((await send(61)).status).toBe(200)
  })
})
