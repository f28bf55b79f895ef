import { loadavg } from 'node:os'
import { startPostgres } from '../../packages/gateway/src/postgres/testing/start-postgres.ts'
import { ask, loadAgent, type LoadShape } from './agents.ts'
import { quantile } from './latency.ts'
import { startProgram, type Program } from './program.ts'

/** What replicas on one Postgres cost, on the same two processors as everything else. */
export interface ReplicaFigures {
  replicas: number
  /** How requests find a replica: each agent always the same one, or each request the next one. */
  spread: 'by agent' | 'by request'
  requestsPerSecond: number
  /** Milliseconds of processor time of all replicas for a request; and of Postgres, if it is ours. */
  cpuPerRequest: number
  p50: number
  p99: number
  /** Statements of Postgres for a request. */
  statements: number
  /** Answers by what was done. */
  did: Record<string, number>
  load: number
}

const ways = [
  { replicas: 1, spread: 'by agent' },
  { replicas: 2, spread: 'by agent' },
  { replicas: 2, spread: 'by request' },
] as const

export async function measureReplicas(
  shape: LoadShape,
  { upstream, window, seconds }: { upstream: string; window: number; seconds: number },
): Promise<ReplicaFigures[]> {
  const postgres = await startPostgres()
  const all: ReplicaFigures[] = []
  for (const { replicas, spread } of ways) {
    const programs = await Promise.all(
      Array.from({ length: replicas }, () =>
        startProgram('gateway', { upstream, window, store: postgres.url }),
      ),
    )
    await measured(programs, 2)
    const before = await statementsIn(postgres.url)
    const { requests, ...figures } = await measured(programs, seconds)
    const statements = (await statementsIn(postgres.url)) - before
    all.push({
      replicas,
      spread,
      ...figures,
      statements: statements / requests,
      load: loadavg()[0] ?? Number.NaN,
    })
    await Promise.all(programs.map((program) => program.close()))

    async function measured(these: readonly Program[], long: number) {
      const cpus = await Promise.all(these.map((program) => program.sample()))
      const begun = performance.now()
      const times: number[] = []
      const did: Record<string, number> = {}
      let turn = 0
      await Promise.all(
        Array.from({ length: 16 }, async (_, index) => {
          const agent = loadAgent(shape)
          while (performance.now() - begun < long * 1_000) {
            const at = spread === 'by agent' ? index : turn++
            const program = these[at % these.length] as Program
            const heard = await ask(program.url, agent.next())
            times.push(heard.whole)
            did[heard.did] = (did[heard.did] ?? 0) + 1
          }
        }),
      )
      const took = performance.now() - begun
      const after = await Promise.all(these.map((program) => program.sample()))
      const cpu = after.reduce((sum, one, index) => sum + one.cpu - (cpus[index]?.cpu ?? 0), 0)
      return {
        requests: times.length,
        requestsPerSecond: (times.length / took) * 1_000,
        cpuPerRequest: cpu / times.length,
        p50: quantile(times, 0.5),
        p99: quantile(times, 0.99),
        did,
      }
    }
  }
  await postgres.stop()
  return all
}

/** What Postgres counts as its transactions: each statement outside of one is one. */
async function statementsIn(url: string): Promise<number> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Its counts come a moment late.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const { rows } = await client.query<{ count: string }>(
    'SELECT sum(xact_commit + xact_rollback) AS count FROM pg_stat_database WHERE datname = current_database()',
  )
  await client.end()
  return Number(rows[0]?.count)
}
