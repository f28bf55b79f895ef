import { gzipSync } from 'node:zlib'
import { Readable } from 'node:stream'
import { afterEach, expect, it, vi } from 'vitest'
import { asked, started, type Started } from '../testing/started.ts'
import { askedByText } from './model-request.ts'
import { wireAgents } from '../testing/agents.ts'
import { wireFor, wireNamed } from '../wires/wires.ts'
import type { Upstream } from '../upstream/upstream.ts'

const running: Started[] = []

afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(running.splice(0).map((each) => each.close()))
})

/** A provider that reads nothing. */
const upstream: Upstream = {
  send: async () => ({ status: 200, headers: {}, body: Readable.from([]) }),
  close: async () => {},
}

async function gateway() {
  const sessions = { window: { context: 16_000 }, summaryModel: false as const }
  const one = await started(
    { script: () => ({ text: 'Next.' }) },
    { upstream, sessions, sessionAccess: { for: 'callers' } },
  )
  running.push(one)
  return one
}

const deep = '['.repeat(900_000)
const wide = `[[${'{},'.repeat(299_000)}{}]]`

/** What keeps whoever parses it busy for most of a second, where a conversation or a text would be. */
const bodies: Readonly<Record<string, (list: string) => string>> = {
  'nothing but brackets': () => deep,
  'a list nested without end': (list) => `{"model":"m","${list}":${deep}`,
  'a text nested without end': (list) => `{"${list}":"Hi.","model":"m","tools":${deep}}`,
  'a model nested without end': (list) => `{"${list}":"Hi.","model":${deep}}`,
  'countless values beside a text': (list) => `{"${list}":"Hi.","model":"m","tools":${wide}}`,
}

/** How long the texts were that somebody has parsed, where they are hostile. */
function parsedLengths(): number[] {
  const lengths: number[] = []
  const parse = JSON.parse.bind(JSON)
  vi.spyOn(JSON, 'parse').mockImplementation((text: string, ...rest) => {
    if (text.length > 800_000) lengths.push(text.length)
    return parse(text, ...rest) as unknown
  })
  return lengths
}

it.each(wireAgents)('$name: no body is parsed that would keep others waiting', async (agent) => {
  const one = await gateway()
  const { list } = wireNamed(agent.name)
  const lengths = parsedLengths()
  for (const [name, bodyOf] of Object.entries(bodies)) {
    const body = Buffer.from(bodyOf(list))
    for (const encoding of ['identity', 'gzip']) {
      const headers = { ...agent.headers, 'content-encoding': encoding }
      const sent = encoding === 'gzip' ? gzipSync(body) : body
      const answer = await fetch(one.gateway.url + agent.path('m', false), { method: 'POST', headers, body: sent }) // prettier-ignore
      expect([name, answer.status, lengths]).toEqual([name, 200, []])
    }
  }
})

it('no pin is parsed that would keep others waiting', async () => {
  const { gateway: own } = await gateway()
  const [agent] = wireAgents
  if (!agent) throw new Error('no agent')
  const said = [...agent.ask('Hi.'), ...agent.says('word '.repeat(20_000)), ...agent.ask('Go on.')]
  const body = agent.body({ model: 'm', said, streams: false, tools: true })
  const { session } = await asked(own, agent.path('m', false), body, agent.headers)
  const lengths = parsedLengths()
  const pin = `${own.url}/throughline/sessions/${session}/pins`
  const given = { method: 'POST', headers: agent.headers, body: `{"text":${deep}` }
  expect((await fetch(pin, given)).status).toBe(400)
  expect(lengths).toEqual([])
})

it.each(wireAgents)('$name: what a request of one text asks is read', ({ name, path }) => {
  const wire = wireNamed(name)
  const route = wireFor(path('m', false))?.route
  if (!route) throw new Error('no route')
  const read = (body: object) =>
    askedByText({ wire, route, body: Buffer.from(JSON.stringify(body)) })
  expect(read({ model: 'm', [wire.list]: 'Hi.' })).toMatchObject({ model: 'm' })
  expect(read([1])).toBeUndefined()
})
