import { afterAll, describe, expect, it } from 'vitest'
import pg from 'pg'
import { dropSchemas, newSchema, skipsWithout, testPostgres } from './testing/test-postgres.ts'
import { findStatement } from './find-session.ts'
import { postgresGatewayStore } from './postgres-gateway-store.ts'
import type { Mark, World } from '../store/gateway-store.ts'

const url = skipsWithout(await testPostgres())
const schema = newSchema()
afterAll(() => dropSchemas(url, [schema]))

interface Plan {
  'Node Type': string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

function nodesOf(plan: Plan): string[] {
  return [plan['Node Type'], ...(plan.Plans ?? []).flatMap(nodesOf)]
}

const full = process.env['THROUGHLINE_FULL'] === '1'
const sizes = full ? [1_000, 10_000, 100_000] : [1_000, 20_000]
const marks = Array.from({ length: 16 }, (_, index) => (index === 2 ? 'mark 7 3' : `none ${index}`))

describe.skipIf(url === '')('finding a session', () => {
  it(`reads indexes alone, and no more pages among ${sizes.at(-1)} sessions than among few`, async () => {
    const store = postgresGatewayStore({ url, schema, timeout: 300_000 })
    await store.ping()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const pages: number[] = []
    let made = 0
    try {
      for (const size of sizes) {
        await client.query(
          `INSERT INTO ${schema}.sessions (id, world, instructions, model, created, used, request)
           SELECT 's' || n, 'w', 'i', 'm', n, n, 4 FROM generate_series($1::int, $2::int) AS n`,
          [made, size - 1],
        )
        await client.query(
          `INSERT INTO ${schema}.marks (world, mark, session, request)
           SELECT 'w', 'mark ' || n || ' ' || m, 's' || n, m
           FROM generate_series($1::int, $2::int) AS n, generate_series(1, 8) AS m`,
          [made, size - 1],
        )
        await client.query(`ANALYZE ${schema}.sessions, ${schema}.marks`)
        made = size
        const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${findStatement.replaceAll('$schema', schema)}`
        const { rows } = await client.query(explain, ['w', marks])
        const { Plan: plan } = rows[0]['QUERY PLAN'][0] as { Plan: Plan }
        expect(nodesOf(plan).filter((node) => node === 'Seq Scan')).toEqual([])
        expect(nodesOf(plan).filter((node) => node.startsWith('Index'))).toHaveLength(2)
        pages.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])
        const found = await store.find('w' as World, marks as Mark[])
        expect(found?.session.id).toBe('s7')
      }
      // A tree of an index grows by a page of depth now and then.
      expect(pages.at(-1)).toBeLessThanOrEqual((pages[0] ?? 0) + 2 * marks.length)
      console.log(`pages read to find a session among ${sizes.join(', ')}: ${pages.join(', ')}`)
    } finally {
      await client.end()
      await store.close()
    }
  })
})
