import { createServer, type Server } from 'node:http'
import { mkdtempSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { asked, started, type Started } from '../testing/started.ts'
import { memoryGatewayStore, sqliteGatewayStore } from '../store/sqlite-gateway-store.ts'
import { metricsOf, sha256Of, startTeam } from '../testing/team.ts'
import { startGateway } from '../server/gateway.ts'
import { startProvider } from 'throughline/testing/provider'
import { wireAgents, type WireAgent } from '../testing/agents.ts'
import type { AddressInfo } from 'node:net'
import type { Learned } from './sessions.ts'
import type { Window } from 'throughline'

const ends: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const lie = 'prompt is too long: 5000 tokens > 2000 maximum'

/** A provider that repeats in its 400 what it did not understand, in one of its fields. */
async function echoing(
  where: (said: string) => object,
): Promise<{ url: string; main: () => number }> {
  let main = 0
  const server: Server = createServer((incoming, outgoing) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
    incoming.on('end', () => {
      main += 1
      const isLie = body.includes(lie)
      outgoing.writeHead(isLie ? 400 : 200, { 'content-type': 'application/json' })
      outgoing.end(JSON.stringify(isLie ? where(lie) : {}))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, main: () => main }
}

interface Gateway extends Started {
  learned: Learned[]
}

async function gatewayTo(url: string, windows?: Record<string, Window>): Promise<Gateway> {
  const learned: Learned[] = []
  const one = await started(
    { script: [] },
    {
      upstreams: { openai: `${url}/v1`, anthropic: url, gemini: url },
      sessions: { window: { context: 200_000 }, summaryModel: false, ...(windows && { windows }) },
      onLearned: (each) => learned.push(each),
    },
  )
  ends.push(one.close)
  return { ...one, learned }
}

const words = (tokens: number) => 'word '.repeat(tokens)

/** About so many tokens, with more fields beside them. */
const ask = (
  agent: WireAgent,
  { gateway }: Gateway,
  tokens: number,
  more: object = {},
  key = 'key-1',
) => {
  const said = [...agent.ask('Read all.'), ...agent.step('call_Ab12Cd34Ef56Gh78Ij90Kl', {}, words(tokens)), ...agent.ask('Go on.')] // prettier-ignore
  const body = { ...agent.body({ model: 'm', said, streams: false, tools: true }), ...more }
  const headers = Object.fromEntries(
    Object.entries(agent.headers).map(([name, text]) => [name, text.replace('key-1', key)]),
  )
  return asked(gateway, agent.path('m', false), body, headers)
}

const attack = { tool_choice: lie }
const inMessage = (said: string) => ({ error: { message: `Not known: ${said}`, type: 'invalid' } })

describe.each(wireAgents)(
  'a caller whose words its provider repeats in an error ($name)',
  (agent) => {
    it('imposes no window on another caller', async () => {
      const one = await gatewayTo((await echoing(inMessage)).url)
      await ask(agent, one, 3_000, attack)
      expect(one.learned.every(({ context = 0 }) => context === 2_000)).toBe(true)
      expect((await ask(agent, one, 8_000, {}, 'key-2')).did).toBe('nothing')
    })

    it('learns nothing from it where the operator has set the window', async () => {
      const one = await gatewayTo((await echoing(inMessage)).url, { m: { context: 200_000 } })
      await ask(agent, one, 3_000, attack)
      expect(one.learned).toEqual([])
      expect((await ask(agent, one, 8_000)).did).not.toBe('compacted')
    })

    it('learns nothing from a limit that its request does not reach', async () => {
      const one = await gatewayTo((await echoing(inMessage)).url)
      await ask(agent, one, 500, attack)
      expect(one.learned).toEqual([])
    })

    it.each([
      [
        'beside the error',
        (said: string) => ({ error: { message: 'No.' }, body: { message: said } }),
      ],
      [
        'in its metadata',
        (said: string) => ({ error: { message: 'No.' }, metadata: { message: said } }),
      ],
      [
        'in what it was about',
        (said: string) => ({ error: { message: 'No.', data: { message: said } } }),
      ],
    ])('learns nothing from what is repeated %s', async (_, where) => {
      const provider = await echoing(where)
      const one = await gatewayTo(provider.url)
      expect((await ask(agent, one, 3_000, attack)).status).toBe(400)
      expect(one.learned).toEqual([])
      expect(provider.main()).toBe(1)
    })
  },
)

describe('a window that a refusal has named', () => {
  const [chat] = wireAgents as readonly [WireAgent]
  const rules = { window: 8_000 }
  const script = () => ({ text: 'Next.' })
  const long = (steps: number) =>
    chat.body({
      model: 'm',
      said: [
        ...chat.ask('Read all.'),
        ...Array.from({ length: steps }, (_, at) => chat.step(`call_Ab12Cd34Ef56Gh78Ij90K${at}`, {}, words(1_000))).flat(), // prettier-ignore
      ],
      streams: false,
      tools: true,
    })

  it('is kept in the store: another process is not refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'windows-'))
    const provider = await startProvider({ script, rules })
    ends.push(provider.close)
    const upstreams = { openai: `${provider.url}/v1` }
    for (const refused of [1, 1]) {
      const store = sqliteGatewayStore({ folder })
      const sessions = { window: { context: 200_000 }, summaryModel: false as const }
      const gateway = await startGateway({ store, upstreams, sessions })
      const answer = await asked(gateway, chat.path('m', false), long(9), chat.headers)
      expect(answer.status).toBe(200)
      expect(provider.requests.filter((each) => each.refused)).toHaveLength(refused)
      await gateway.close()
      await store.close()
    }
  })

  it('is below what an operator has set for no request after the refused one', async () => {
    const store = memoryGatewayStore()
    const windows = { m: { context: 200_000 } }
    const one = await started(
      { script, rules },
      { store, sessions: { windows, summaryModel: false } },
    )
    ends.push(one.close)
    const { did, session } = await asked(one.gateway, chat.path('m', false), long(9), chat.headers)
    expect(did).toBe('recovered')
    const noted = await store.logs.read(session as string, { kinds: ['observation'] })
    expect(JSON.stringify(noted)).not.toContain('8000')
  })

  it('is tried again after a day', async () => {
    let now = Date.UTC(2026, 10, 22)
    const store = memoryGatewayStore()
    const learned: Learned[] = []
    const one = await started(
      { script, rules },
      {
        store,
        sessions: { window: { context: 200_000 }, summaryModel: false },
        now: () => now,
        onLearned: (each) => learned.push(each),
      },
    )
    ends.push(one.close)
    const refusals = () => one.provider.requests.filter(({ refused }) => refused).length
    const askAnew = (key: number) =>
      asked(
        one.gateway,
        chat.path('m', false),
        { ...long(9), prompt_cache_key: `${key}` },
        chat.headers,
      )
    await askAnew(1)
    await askAnew(2)
    expect([refusals(), learned.length]).toEqual([1, 1])
    now += 25 * 60 * 60_000
    await askAnew(3)
    expect([refusals(), learned.length]).toEqual([2, 2])
  })

  it('is logged and counted, without a word of the request', async () => {
    const keys = [{ name: 'mine', sha256: sha256Of('key-1') }]
    const sessions = { window: { context: 200_000 }, summaryModel: false }
    const team = await startTeam({ keys, sessions }, script, { rules })
    ends.push(team.close)
    const gateway = await team.replica()
    expect((await asked(gateway, chat.path('m', false), long(9), chat.headers)).status).toBe(200)
    const lines = team.lines.filter((line) => line.includes('learned a window'))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] as string)).toMatchObject({
      key: 'mine',
      model: 'm',
      context: 8_000,
    })
    expect(await metricsOf(gateway)).toContain('throughline_windows_learned_total{how="named"} 1')
  })
})
