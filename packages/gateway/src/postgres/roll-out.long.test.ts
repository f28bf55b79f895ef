import { afterAll, describe, expect, it } from 'vitest'
import { randomInt } from 'node:crypto'
import { startProvider } from 'throughline/testing/provider'
import { agent, isMain, requestAfter } from './testing/long-agent.ts'
import { asked } from '../testing/started.ts'
import { dropSchemas, newSchema, skipsWithout, testPostgres } from './testing/test-postgres.ts'
import { ownSteps, type Steps } from './migrations.ts'
import { postgresGatewayStore } from './postgres-gateway-store.ts'
import { startGateway } from '../server/gateway.ts'

const url = skipsWithout(await testPostgres())
const schema = newSchema()
afterAll(() => dropSchemas(url, [schema]))

/** What a later version might add. */
const newer: Steps = {
  needed: ownSteps.needed,
  added: [
    ...ownSteps.added,
    "ALTER TABLE $schema.sessions ADD COLUMN region text NOT NULL DEFAULT ''",
    'CREATE TABLE $schema.notes (session text REFERENCES $schema.sessions ON DELETE CASCADE, said text)',
    "ALTER TABLE $schema.marks ADD COLUMN kind text NOT NULL DEFAULT 'own'",
  ],
}

const window = 16_000
const agents = 3
// Of each agent in each state of the roll-out.
const requests = 25

describe.skipIf(url === '')('a roll-out, and its roll-back', () => {
  it('from old to newer replicas and back loses no request and no checkpoint, and begins no session anew', async () => {
    const provider = await startProvider({
      script: (request) => ({ text: isMain(request) ? 'Next.' : '## Goal\nRead all parts.' }),
      rules: { window, strict: true },
    })
    const problems: unknown[] = []
    const start = async (steps: Steps) => {
      const store = postgresGatewayStore({ url, schema, timeout: 60_000 }, steps)
      const gateway = await startGateway({
        store,
        upstreams: { openai: `${provider.url}/v1` },
        sessions: { window: { context: window }, summaryModel: false },
        onProblem: (problem) => problems.push(problem),
      })
      return {
        url: gateway.url,
        store,
        async close() {
          await gateway.close()
          await store.close()
        },
      }
    }
    const replicas = [await start(ownSteps), await start(ownSteps)]
    const steps = Array.from({ length: agents }, () => 15)
    const sessions = Array.from({ length: agents }, () => new Set<string>())

    /** As behind a balancer, which asks another one where nobody listens any more. */
    async function askedOf(body: object): ReturnType<typeof asked> {
      const { url: at } = replicas[randomInt(replicas.length)] as { url: string }
      const path = agent.path('m', true)
      return asked({ url: at }, path, body, agent.headers).catch(() => askedOf(body))
    }

    async function work(own: number): Promise<void> {
      for (let times = 0; times < requests; times++) {
        const answer = await askedOf(requestAfter((steps[own] as number)++, `agent${own}`))
        expect([answer.status, answer.did]).toEqual([200, expect.stringMatching(/^(nothing|kept|compacted)$/)]) // prettier-ignore
        if (answer.session) sessions[own]?.add(answer.session)
      }
    }

    /** Another one takes the place of one while the agents go on; that one ends what it has begun. */
    async function replace(which: number, by: Steps): Promise<void> {
      const working = Array.from({ length: agents }, (_, own) => work(own))
      const before = replicas[which]
      replicas[which] = await start(by)
      await Promise.all([before?.close(), ...working])
    }

    try {
      for (const [which, by] of [
        [0, newer],
        [1, newer],
        [0, ownSteps],
        [1, ownSteps],
      ] as const) {
        await replace(which, by)
      }
      expect(problems).toEqual([])
      expect(sessions.map((each) => each.size)).toEqual(Array.from({ length: agents }, () => 1))
      const refused = provider.requests.filter(({ refused: why }) => why !== undefined)
      expect(refused).toEqual([])
      const kept = await replicas[0]?.store.sessions()
      expect(kept).toHaveLength(agents)
      for (const { id } of kept ?? []) {
        const changes = await replicas[0]?.store.logs.read(id, { kinds: ['checkpoint', 'prune'] })
        expect(changes?.length).toBeGreaterThan(1)
      }
    } finally {
      await Promise.all(replicas.map((replica) => replica.close()))
      await provider.close()
    }
  }, 300_000)
})
