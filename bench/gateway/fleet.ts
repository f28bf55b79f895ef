import pg from 'pg'
import { postgresGatewayStore, startGateway } from 'throughline-gateway'
import { startPostgres } from '../../packages/gateway/src/postgres/testing/start-postgres.ts'
import { ask, loadAgent, type LoadShape } from './agents.ts'

/** What a fleet of replicas writes to one Postgres, by its own counts: no clock is in it. */
export interface FleetFigures {
  replicas: number
  agents: number
  requests: number
  /** Of Postgres, for a request. */
  transactions: number
  /** Bytes of its write-ahead log for a request. */
  wal: number
  /** The most connections that it had at once. */
  connections: number
  /** Rows written for a request, by table: inserted, changed and deleted. */
  rows: Record<string, number>
  /** How often the row was changed that was changed most, and of which table it is. */
  hottest: { table: string; changes: number }
  problems: number
}

const replicas = 100
const agents = 60
const connectionsEach = 1

/** 100 replicas on one Postgres, each request at another one; they share a process, and nothing else. */
export async function measureFleet(
  shape: LoadShape,
  { upstream, window, requests }: { upstream: string; window: number; requests: number },
): Promise<FleetFigures> {
  const postgres = await startPostgres(['max_connections=300'])
  const counts = new pg.Client({ connectionString: postgres.url })
  await counts.connect()
  let problems = 0
  const fleet = await Promise.all(
    Array.from({ length: replicas }, async () => {
      const store = postgresGatewayStore({
        url: postgres.url,
        connections: connectionsEach,
        timeout: 60_000,
      })
      const gateway = await startGateway({
        store,
        upstreams: { openai: `${upstream}/v1` },
        sessions: { window: { context: window }, when: 'before', summaryModel: false },
        onProblem: () => void (problems += 1),
      })
      // It prepares the database, which is done once.
      await store.ping()
      return { store, gateway }
    }),
  )
  const before = await counted(counts)
  let connections = 0
  let left = requests
  let turn = 0
  const work = async (): Promise<void> => {
    const mine = Array.from({ length: agents / atOnce }, () => loadAgent(shape))
    for (let next = 0; left > 0; next++) {
      left -= 1
      const agent = mine[next % mine.length] as (typeof mine)[number]
      const { gateway } = fleet[turn++ % replicas] as (typeof fleet)[number]
      await ask(gateway.url, agent.next(), { events: 2 })
      if (left % 100 === 0) connections = Math.max(connections, await connectionsOf(counts))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  await Promise.all(fleet.map(({ gateway }) => gateway.close()))
  const after = await counted(counts)
  await Promise.all(fleet.map(({ store }) => store.close()))
  const hottest = await hottestRow(counts)
  await counts.end()
  await postgres.stop()
  const each = (now: number, then: number): number => (now - then) / requests
  return {
    replicas,
    agents,
    requests,
    transactions: each(after.transactions, before.transactions),
    wal: each(after.wal, before.wal),
    connections,
    rows: Object.fromEntries(
      Object.entries(after.rows).map(([name, rows]) => [name, each(rows, before.rows[name] ?? 0)]),
    ),
    hottest,
    problems,
  }
}

const atOnce = 20

interface Counted {
  transactions: number
  wal: number
  rows: Record<string, number>
}

async function counted(client: pg.Client): Promise<Counted> {
  // Its counts come a moment late.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const { rows: of } = await client.query<{ transactions: string; wal: string }>(
    `SELECT xact_commit + xact_rollback AS transactions, (SELECT wal_bytes FROM pg_stat_wal) AS wal
     FROM pg_stat_database WHERE datname = current_database()`,
  )
  const { rows } = await client.query<{ name: string; rows: string }>(
    'SELECT relname AS name, n_tup_ins + n_tup_upd + n_tup_del AS rows FROM pg_stat_user_tables ORDER BY 1',
  )
  return {
    transactions: Number(of[0]?.transactions),
    wal: Number(of[0]?.wal),
    rows: Object.fromEntries(rows.map(({ name, rows: all }) => [name, Number(all)])),
  }
}

async function connectionsOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'throughline-gateway'",
  )
  return Number(rows[0]?.count)
}

/** Each request that moves a session on changes its row once: its number says how often. */
async function hottestRow(client: pg.Client): Promise<FleetFigures['hottest']> {
  const { rows } = await client.query<{ changes: string }>(
    'SELECT max(request) AS changes FROM throughline.sessions',
  )
  return { table: 'sessions', changes: Number(rows[0]?.changes) }
}
