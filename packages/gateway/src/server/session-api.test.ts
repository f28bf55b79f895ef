import { afterEach, describe, expect, it } from 'vitest'
import { asked, started, type Started } from '../testing/started.ts'
import type { GatewayOptions } from './gateway.ts'
import { drawnId, wireAgents, type WireAgent } from '../testing/agents.ts'

const running: Started[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
})

const agent = wireAgents.find(({ name }) => name === 'anthropic') as WireAgent

function said(steps: number): object[] {
  return [
    ...agent.ask('Read all parts.'),
    ...Array.from({ length: steps }, (_, step) => [
      ...agent.step(drawnId(step), { path: `${step}` }, `part ${step}`),
      { role: 'assistant', content: `Part ${step} says ${'word '.repeat(250)}` },
      ...agent.ask(`Next is ${step + 1}.`),
    ]).flat(),
  ]
}

/** A session that was compacted, and how its caller asks for it. */
async function compacted(options: Partial<GatewayOptions> = {}) {
  const settings = { window: { context: 16_000 }, summaryModel: false as const }
  const script = () => ({ text: 'Next.' })
  const one = await started({ script }, { sessions: settings, ...options })
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
  return { answer, send, call, provider, id: answer.session ?? '', url: one.gateway.url }
}

describe('a caller', () => {
  it('is told what is not served, and no provider is', async () => {
    const { call, provider, id } = await compacted()
    const before = provider.requests.length
    expect(await call('GET', `/sessions/${id}/reports?sign=x`)).toMatchObject({ status: 404 })
    expect(await call('POST', `/sessions/${id}`)).toMatchObject({ status: 404 })
    expect(provider.requests).toHaveLength(before)
  })

  it('sees what a compaction of its own has kept, where the header says', async () => {
    const { answer, call, id } = await compacted()
    expect(answer.did).toBe('compacted')
    const report = answer.headers.get('x-throughline-report') ?? ''
    const { body } = await call('GET', report.replace('/throughline', ''))
    expect(body).toMatchObject({ id, model: 'm', checkpoint: { summarizer: 'local' } })
    expect(body.checkpoint.summary).toContain('Read all parts.')
    expect((await call('GET', '/sessions')).body.sessions).toMatchObject([{ id }])
  })

  it('gives nobody a link that opens without a key, unless the operator wants one', async () => {
    const { answer, id, url } = await compacted({ reportPage: async (_, of) => of.id })
    const header = answer.headers.get('x-throughline-report') ?? ''
    expect(header).toBe(`/throughline/sessions/${id}`)
    expect((await fetch(`${url}${header}/report`)).status).toBe(404)
    const own = { headers: { 'x-api-key': 'key-1' } }
    expect((await fetch(`${url}${header}/report`, own)).status).toBe(200)
  })

  it('reads a page of it in a browser, where the header says, for a day', async () => {
    let now = Date.UTC(2026, 10, 22, 18)
    const { answer, id, url } = await compacted({
      now: () => now,
      reportPage: async (log, of) => `<title>${of.id}: ${log.length} entries</title>`,
      reportLinks: true,
    })
    const link = answer.headers.get('x-throughline-report') ?? ''
    expect(link).toMatch(new RegExp(`^/throughline/sessions/${id}/report[?]`))
    const page = await fetch(url + link)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).toMatch(new RegExp(`^<title>${id}: \\d{3} entries`))
    for (const other of [
      link.replace(/sign=.*/, ''),
      link.replace(/sign=./, (sign) => (sign.endsWith('A') ? 'sign=B' : 'sign=A')),
      link.replace(/until=\d/, 'until=9'),
    ]) {
      expect((await fetch(url + other)).status).toBe(404)
    }
    const key = { 'x-api-key': 'key-1' }
    const plain = `${url}/throughline/sessions/${id}/report`
    expect((await fetch(plain, { headers: key })).status).toBe(200)
    now += 48 * 60 * 60 * 1_000
    expect((await fetch(url + link)).status).toBe(404)
  })

  it('has no session of another caller, nor without a key', async () => {
    const { call, id } = await compacted()
    for (const [method, path] of [
      ['GET', `/sessions/${id}`],
      ['POST', `/sessions/${id}/undo`],
      ['DELETE', `/sessions/${id}`],
    ] as const) {
      expect((await call(method, path, 'key-2')).status).toBe(404)
      expect((await call(method, path, '')).status).toBe(404)
    }
    expect((await call('GET', '/sessions', 'key-2')).body).toEqual({ sessions: [] })
    expect((await call('GET', `/sessions/${id}`)).status).toBe(200)
  })

  it('opens no session of another caller with a link to its own', async () => {
    const { answer, send, url } = await compacted({
      reportPage: async (_, { id }) => id,
      reportLinks: true,
    })
    const own = new URL(answer.headers.get('x-throughline-report') ?? '', url)
    const other = (await send(60, { 'x-api-key': 'key-2' })).session ?? ''
    expect([own.pathname.includes(other), (await fetch(own)).status]).toEqual([false, 200])
    const moved = new URL(`/throughline/sessions/${other}/report${own.search}`, url)
    expect((await fetch(moved)).status).toBe(404)
    moved.searchParams.set('id', answer.session ?? '')
    expect((await fetch(moved)).status).toBe(404)
  })

  it('is refused a pin that takes too much of the window, and reads no endless body', async () => {
    const { call, id } = await compacted()
    const pin = (text: string, key = 'key-1') => call('POST', `/sessions/${id}/pins`, key, { text })
    expect(await pin('Use marigold. '.repeat(3_000))).toMatchObject({
      status: 409,
      body: { error: { type: 'PIN_BUDGET' } },
    })
    expect(await pin('x'.repeat(2_000_000), 'key-2')).toMatchObject({
      status: 413,
      body: { error: { type: 'body_too_large' } },
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
