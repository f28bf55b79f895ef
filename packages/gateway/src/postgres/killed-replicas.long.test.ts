import { afterAll, describe, expect, it } from 'vitest'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProvider, type ServedRequest } from 'throughline/testing/provider'
import { agent, isMain, requestAfter } from './testing/long-agent.ts'
import { asked } from '../testing/started.ts'
import { dropSchemas, newSchema, skipsWithout, testPostgres } from './testing/test-postgres.ts'
import { postgresGatewayStore } from './postgres-gateway-store.ts'
import { startReplica, type Replica } from './testing/replicas.ts'
import type { Entry } from 'throughline'

const url = skipsWithout(await testPostgres())
const schema = newSchema()
afterAll(() => dropSchemas(url, [schema]))

const full = process.env['THROUGHLINE_FULL'] === '1'
const kills = full ? 200 : 3
const agents = 3
// Milliseconds: 200 replicas begin anew, on a machine that others use as well.
const patience = full ? 60 * 60_000 : 10 * 60_000
// As long as a few compactions take; then another agent begins.
const steps = 90
const window = 16_000

describe.skipIf(url === '')('two replicas, one of which is killed at any instant', () => {
  it(
    `answer every request, ${kills} times, and lose no acknowledged checkpoint`,
    async () => {
      const provider = await startProvider({
        script: (request) => ({ text: isMain(request) ? 'Next.' : '## Goal\nRead all parts.' }),
        rules: { window, strict: true },
      })
      const store = postgresGatewayStore({ url, schema, timeout: 60_000 })
      const start = () => startReplica({ store: url, schema, upstream: provider.url, window })
      const replicas: Replica[] = [await start(), await start()]
      const acknowledged = new Map<string, Entry>()
      const attempts = new Map<string, number>()
      const run = { isOver: false }
      let answered = 0

      /** As behind a load balancer: a client tries again where a connection breaks. */
      async function answeredOnce(whose: string, step: number): Promise<void> {
        const key = `${whose} ${step}`
        for (;;) {
          attempts.set(key, (attempts.get(key) ?? 0) + 1)
          const replica = replicas[randomInt(replicas.length)] as Replica
          const body = requestAfter(step, whose)
          const answer = await asked(replica, agent.path('m', true), body, agent.headers).catch(
            () => undefined,
          )
          if (!answer?.text.includes('[DONE]')) {
            await sleep(20)
            continue
          }
          expect(answer.status).toBe(200)
          expect(answer.text).toContain('Next.')
          answered += 1
          if (answer.session && answer.did !== 'nothing') {
            const kinds = ['checkpoint', 'prune'] as const
            for (const entry of await store.logs.read(answer.session, { kinds })) {
              acknowledged.set(`${answer.session} ${entry.seq}`, entry)
            }
          }
          return
        }
      }

      async function work(number: number): Promise<void> {
        for (let life = 0; !run.isOver; life++) {
          const whose = `agent${number}x${life}`
          for (let step = 15; step < steps && !run.isOver; step++) await answeredOnce(whose, step)
        }
      }

      async function killSome(): Promise<void> {
        for (let killed = 0; killed < kills; killed++) {
          await sleep(randomInt(50, 2_500))
          const which = randomInt(replicas.length)
          await replicas[which]?.kill()
          replicas[which] = await start()
        }
        // So long that there was something to lose.
        while (acknowledged.size === 0) await sleep(50)
        run.isOver = true
      }

      try {
        await Promise.all([
          killSome(),
          ...Array.from({ length: agents }, (_, index) => work(index)),
        ])
        expect(answered).toBeGreaterThan(kills)
        expect(acknowledged.size).toBeGreaterThan(0)
        for (const [key, entry] of acknowledged) {
          const [session = '', seq] = key.split(' ')
          expect(await store.logs.read(session, { seqs: [Number(seq)] })).toEqual([entry])
        }
        const main = provider.requests.filter(isMain)
        expect(main.filter(({ refused }) => refused === 'illegal')).toEqual([])
        for (const request of main) expect(agentsIn(request)).toHaveLength(1)
        expectNoneTwice(main, attempts)
        console.log(
          `${kills} kills: ${answered} requests answered, ${acknowledged.size} acknowledged checkpoints, ${[...attempts.values()].filter((count) => count > 1).length} requests tried again`,
        )
      } finally {
        run.isOver = true
        await Promise.all(replicas.map((replica) => replica.kill()))
        await store.close()
        await provider.close()
      }
    },
    patience,
  )
})

/** Whose conversation a request holds. */
function agentsIn({ body }: ServedRequest): string[] {
  return [...new Set(JSON.stringify(body).match(/agent\dx\d+/g))]
}

/** The provider answers a request at most as often as the client has made it. */
function expectNoneTwice(main: readonly ServedRequest[], attempts: ReadonlyMap<string, number>) {
  const served = new Map<string, number>()
  for (const request of main) {
    if (request.refused !== undefined) continue
    const newest = Math.max(
      ...[...JSON.stringify(request.body).matchAll(/agent\dx\d+-(\d+)\.ts/g)].map(([, step]) =>
        Number(step),
      ),
    )
    const key = `${agentsIn(request)[0]} ${newest + 1}`
    served.set(key, (served.get(key) ?? 0) + 1)
  }
  for (const [key, count] of served) {
    expect(count, key).toBeLessThanOrEqual(attempts.get(key) ?? 0)
  }
}
