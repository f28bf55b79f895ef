import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startProvider, type ScriptedProvider } from 'throughline/testing/provider'
import { agent, changesIn, isMain, messagesIn, requestAfter, rule } from './testing/long-agent.ts'
import { asked } from '../testing/started.ts'
import { dropSchemas, newSchema, skipsWithout, testPostgres } from './testing/test-postgres.ts'
import { postgresGatewayStore } from './postgres-gateway-store.ts'
import { startGateway, type Gateway, type GatewayOptions } from '../server/gateway.ts'
import type { GatewayStore } from '../store/gateway-store.ts'

const url = skipsWithout(await testPostgres())
const schemas: string[] = []
const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
afterAll(() => dropSchemas(url, schemas))

const window = 16_000

interface Team {
  provider: ScriptedProvider
  gateways: Gateway[]
  stores: GatewayStore[]
  problems: unknown[]
}

/** Replicas with nothing in common but Postgres. */
async function team(
  replicas: number,
  summary: string | false,
  options: Partial<GatewayOptions> = {},
): Promise<Team> {
  const schema = newSchema()
  schemas.push(schema)
  const provider = await startProvider({
    script: (request) => ({ text: isMain(request) ? 'Next.' : summary || 'no' }),
    rules: { window, strict: true },
  })
  const problems: unknown[] = []
  const gateways: Gateway[] = []
  const stores: GatewayStore[] = []
  for (let index = 0; index < replicas; index++) {
    const store = postgresGatewayStore({ url, schema, timeout: 60_000 })
    stores.push(store)
    gateways.push(
      await startGateway({
        store,
        upstreams: { openai: `${provider.url}/v1` },
        sessions: {
          window: { context: window },
          ...(summary === false && { summaryModel: false as const }),
        },
        onProblem: (problem) => problems.push(problem),
        ...options,
      }),
    )
  }
  ends.push(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close()))
    await Promise.all(stores.map((store) => store.close()))
    await provider.close()
  })
  return { provider, gateways, stores, problems }
}

const ask = (gateway: Gateway | undefined, steps: number, whose = 'a') =>
  asked(gateway as Gateway, agent.path('m', true), requestAfter(steps, whose), agent.headers)

describe.skipIf(url === '')('two replicas on one Postgres', () => {
  it('serve one session in turns: one checkpoint for a prefix, and its bytes stay', async () => {
    const { provider, gateways, stores, problems } = await team(2, false)
    const sessions = new Set<string | null>()
    let compactions = 0
    for (let steps = 0; steps <= 100; steps++) {
      const answer = await ask(gateways[steps % 2], steps)
      expect(answer.status).toBe(200)
      if (answer.session) sessions.add(answer.session)
      if (answer.did === 'compacted') compactions += 1
    }
    expect(problems).toEqual([])
    const main = provider.requests.filter(isMain)
    expect(main.filter(({ refused }) => refused !== undefined)).toEqual([])
    expect(main.every(({ body }) => JSON.stringify(body).includes(rule))).toBe(true)
    expect(sessions.size).toBe(1)
    expect(compactions).toBeGreaterThan(1)
    expect(changesIn(main)).toBe(compactions)
    const [session] = sessions
    const kinds = ['checkpoint', 'prune'] as const
    const changes = await stores[0]?.logs.read(session as string, { kinds })
    expect(changes?.length).toBe(compactions)
  })

  it('give the same bytes for the same request, asked of both at the same time', async () => {
    const { provider, gateways, stores, problems } = await team(2, false)
    for (let steps = 0; steps <= 70; steps++) {
      const before = provider.requests.length
      const answers = await Promise.all(gateways.map((gateway) => ask(gateway, steps)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      // What fails inside goes out as it came.
      expect(problems).toEqual([])
      const [one, other] = provider.requests.slice(before).filter(isMain)
      expect(one && messagesIn(one)).toEqual(other && messagesIn(other))
    }
    expect(problems).toEqual([])
    const sessions = (await stores[0]?.sessions()) ?? []
    expect(sessions).toHaveLength(1)
    const kinds = ['checkpoint', 'prune'] as const
    const changes = await stores[0]?.logs.read(sessions[0]?.id ?? '', { kinds })
    const main = provider.requests.filter(isMain).filter((_, index) => index % 2 === 0)
    expect(changes?.length).toBeGreaterThan(1)
    expect(changes?.length).toBe(changesIn(main))
  })

  it('keep callers with other keys apart', async () => {
    const { gateways } = await team(2, false)
    const body = requestAfter(60, 'same')
    const [one, other] = await Promise.all(
      ['key-1', 'key-2'].map((key, index) =>
        asked(gateways[index] as Gateway, agent.path('m', true), body, {
          authorization: `Bearer ${key}`,
        }),
      ),
    )
    expect(one?.session).toBeTruthy()
    expect(other?.session).toBeTruthy()
    expect(one?.session).not.toBe(other?.session)
  })

  it('open a link that the other one made, until either takes it back', async () => {
    const page = 'export const sessionPage = () => async (log, { id }) => `<title>${id}</title>`'
    const { gateways } = await team(2, false, {
      pageModule: `data:text/javascript,${encodeURIComponent(page)}`,
      reportLinks: true,
      sessionAccess: { for: 'callers' },
    })
    const { session } = await ask(gateways[0], 60)
    const [one, other] = gateways.map(({ url }) => url)
    const links = (url: string | undefined, method: string): Promise<Response> =>
      fetch(`${url}/throughline/sessions/${session}/links`, { method, headers: agent.headers })
    const { url: link } = (await (await links(one, 'POST')).json()) as { url: string }
    const opened = (): Promise<number[]> =>
      Promise.all([one, other].map(async (url) => (await fetch(`${url}${link}`)).status))
    expect(await opened()).toEqual([200, 200])
    expect((await links(other, 'DELETE')).status).toBe(204)
    expect(await opened()).toEqual([404, 404])
  })
})
