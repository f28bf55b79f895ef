import pg from 'pg'
import { postgresGatewayStore } from 'throughline-gateway'
import { startPostgres } from '../../packages/gateway/src/postgres/testing/start-postgres.ts'
import { codingSession } from '../speed/session.ts'
import { medianTime, type Growth, type Point } from './growth.ts'

const sizes = [20_000, 200_000, 1_000_000]
const entriesEach = 100

/** Entries of many sessions in one Postgres: sessions of a hundred entries, about 600 characters each. */
export async function measurePostgres(): Promise<Growth> {
  const postgres = await startPostgres()
  const store = postgresGatewayStore({ url: postgres.url })
  const counts = new pg.Client({ connectionString: postgres.url })
  const drafts = codingSession(entriesEach, 100)
  const points: Point[] = []
  try {
    await store.ping()
    await counts.connect()
    let made = 0
    for (const size of sizes) {
      for (; made < size / entriesEach; made += 8) {
        const next = Array.from({ length: 8 }, (_, at) => `session-${made + at}`)
        await Promise.all(next.map((id) => store.logs.append(id, drafts)))
      }
      await counts.query('VACUUM ANALYZE')
      points.push({ size, figures: await measured(size) })
      console.log(JSON.stringify(points.at(-1)))
    }
  } finally {
    await counts.end()
    await store.close()
    await postgres.stop()
  }
  return { of: 'entries', wanted: 100_000_000, points, ofAll: ['list all sessions, ms'] }

  async function measured(size: number): Promise<Record<string, number>> {
    const sessions = size / entriesEach
    const some = (round: number): string => `session-${Math.floor((sessions / 60) * (round + 1))}`
    const { bytes, indexes } = await sizesOf(counts)
    const appended = await medianTime(50, async (round) =>
      store.logs.append(some(round), drafts.slice(0, 2)),
    )
    const newest = await medianTime(50, async (round) =>
      store.logs.read(some(round), { newest: 50 }),
    )
    const searched = await medianTime(15, async (round) =>
      store.logs.search(some(round), { phrases: [['render']], match: 'all', limit: 10 }),
    )
    const listed = await medianTime(3, async () => store.logs.sessions())
    return {
      'bytes for each entry, with its indexes': bytes / size,
      'of them indexes': indexes / size,
      'append two entries, ms': appended,
      'read the newest 50 of a session, ms': newest,
      'search one session of 100 entries, ms': searched,
      'list all sessions, ms': listed,
    }
  }
}

async function sizesOf(counts: pg.Client): Promise<{ bytes: number; indexes: number }> {
  const { rows } = await counts.query<{ bytes: string; indexes: string }>(
    `SELECT sum(pg_total_relation_size(relid)) AS bytes, sum(pg_indexes_size(relid)) AS indexes
     FROM pg_stat_user_tables`,
  )
  return { bytes: Number(rows[0]?.bytes), indexes: Number(rows[0]?.indexes) }
}
