import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startProvider, type ScriptedProvider } from 'throughline/testing/provider'
import pg from 'pg'
import { agent, isMain, messagesIn, requestAfter } from './testing/long-agent.ts'
import { asked } from '../testing/started.ts'
import { breakableWire, type BreakableWire } from './testing/breakable-wire.ts'
import { newSchema } from './testing/test-postgres.ts'
import { postgresGatewayStore } from './postgres-gateway-store.ts'
import { startGateway, type Gateway } from '../server/gateway.ts'
import { startPostgres, type StartedPostgres } from './testing/start-postgres.ts'
import type { GatewayStore } from '../store/gateway-store.ts'

// A server of its own, because it is stopped and cut off.
const postgres = await startPostgres().catch((error: Error) => {
  console.warn(`There is no Postgres here to break, so these tests are skipped. ${error.message}`)
  return undefined
})

const window = 16_000
// Milliseconds: each request to a wire that is cut takes as long, and none to one that is whole.
const patience = 8_000
let wire: BreakableWire
let url: string
let schema: string
let provider: ScriptedProvider
let store: GatewayStore
let gateway: Gateway
let isHanging = false
const problems: unknown[] = []

beforeAll(async () => {
  if (postgres) wire = await breakableWire(postgres.port)
})

afterAll(async () => {
  await wire?.close()
  await postgres?.stop('immediate')
})

async function begin(): Promise<void> {
  url = `postgres://postgres@127.0.0.1:${wire.port}/postgres`
  schema = newSchema()
  isHanging = false
  problems.length = 0
  provider = await startProvider({
    script: (request) =>
      isMain(request)
        ? { text: 'Next.' }
        : isHanging
          ? { hangs: 'before' }
          : { text: '## Goal\nRead.' },
  })
  store = postgresGatewayStore({ url, schema, timeout: patience, connections: 4 })
  gateway = await startGateway({
    store,
    upstreams: { openai: `${provider.url}/v1` },
    sessions: { window: { context: window }, summaryTimeout: 300 },
    onProblem: (problem) => problems.push(problem),
  })
}

afterEach(async () => {
  await gateway?.close()
  await store?.close()
  await provider?.close()
})

const ask = (steps: number) =>
  asked(gateway, agent.path('m', true), requestAfter(steps, 'a'), agent.headers)

/** Up to where there is something to lose. */
async function untilCompacted(): Promise<number> {
  for (let steps = 30; ; steps++) {
    const { did } = await ask(steps)
    if (did === 'compacted') return steps
  }
}

/** Until the database is asked again after it could not be reached. */
async function untilReady(): Promise<void> {
  while ((await fetch(`${gateway.url}/readyz`)).status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function newestBody(): string[] {
  return messagesIn(provider.requests.findLast(isMain) as never)
}

const faults: [string, (server: StartedPostgres) => Promise<() => Promise<void>>][] = [
  [
    'is stopped and started again',
    async (server) => {
      await server.stop('fast')
      return server.start
    },
  ],
  [
    'crashes and recovers',
    async (server) => {
      await server.stop('immediate')
      return server.start
    },
  ],
  [
    'is cut off, without a word',
    async () => {
      wire.cut()
      return async () => wire.mend()
    },
  ],
  [
    'has a full disk',
    async ({ url: direct }) => {
      const client = new pg.Client({ connectionString: direct })
      // The server may end before the test does.
      client.on('error', () => {})
      await client.connect()
      const table = `${pg.escapeIdentifier(schema)}.entries`
      await client.query(
        `CREATE FUNCTION pg_temp_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$; CREATE TRIGGER is_full BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION pg_temp_full()`,
      )
      return async () => {
        await client.query('DROP FUNCTION pg_temp_full CASCADE')
        await client.end()
      }
    },
  ],
]

const failing = { timeout: 60_000, interval: 250 }

describe.skipIf(postgres === undefined)('when Postgres', () => {
  it.each(faults)(
    '%s, requests go out as they came, and say so; nothing is lost',
    async (_, break_) => {
      await begin()
      const steps = await untilCompacted()
      const before = newestBody()
      const [row] = await store.sessions()
      const acknowledged = await store.logs.read(row?.id as string)

      const mend = await break_(postgres as StartedPostgres)
      // What needs nothing written goes on as before, until the writing behind it has failed.
      const during = await vi.waitFor(async () => {
        const answer = await ask(steps + 1)
        expect(answer.status).toBe(200)
        expect(answer.text).toContain('Next.')
        expect(answer.did).toBe('forwarded')
        return answer
      }, failing)
      expect(during.headers.get('x-throughline-reason')).toBe('failed POSTGRES')
      expect(provider.requests.at(-1)?.body).toEqual(requestAfter(steps + 1, 'a'))
      expect(problems.length).toBeGreaterThan(0)
      expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)

      await mend()
      await untilReady()
      const after = await ask(steps + 2)
      expect(after.did).toBe('kept')
      expect(after.session).toBe(row?.id)
      expect(newestBody().slice(0, before.length)).toEqual(before)
      const now = await store.logs.read(row?.id as string)
      expect(now.slice(0, acknowledged.length)).toEqual(acknowledged)
    },
  )

  it('cannot be reached, many requests at once all go out as they came', async () => {
    await begin()
    await untilCompacted()
    wire.cut()
    const answers = await Promise.all([60, 61, 62, 63].map(ask))
    expect(answers.map(({ did, status }) => [did, status])).toEqual(
      Array.from({ length: 4 }, () => ['forwarded', 200]),
    )
    wire.mend()
  })

  it('is well but a summarizer hangs, code writes the summary', async () => {
    await begin()
    isHanging = true
    const steps = await untilCompacted()
    expect((await ask(steps + 1)).did).toBe('kept')
    expect(problems).toEqual([])
  })
})
