import { afterAll, describe, expect, it } from 'vitest'
import { dropSchemas, newSchema, skipsWithout, testPostgres } from './testing/test-postgres.ts'
import { postgresGatewayStore } from './postgres-gateway-store.ts'
import type { Mark, World } from '../store/gateway-store.ts'

const url = skipsWithout(await testPostgres())
const schema = newSchema()

afterAll(() => dropSchemas(url, [schema]))

describe.skipIf(url === '')('a session that several replicas move at the same time', () => {
  it('goes on from one request in one way: the others are told that it has gone', async () => {
    const stores = Array.from({ length: 4 }, () =>
      postgresGatewayStore({ url, schema, timeout: 60_000, connections: 2 }),
    )
    const [store] = stores as [(typeof stores)[number]]
    const row = { id: 'a', world: 'w' as World, instructions: '', model: 'm', created: 1, used: 1 }
    await store.begin(row, { marks: ['at 0' as Mark], at: 1 })
    for (let request = 0; request < 30; request++) {
      const to = (index: number) => (index === 0 ? `at ${request + 1}` : `${index} of ${request}`)
      const moved = await Promise.all(
        stores.map((each, index) =>
          each.move('a', `at ${request}` as Mark, { marks: [to(index) as Mark], at: 1 }),
        ),
      )
      expect(moved.filter(Boolean)).toHaveLength(1)
      // Whoever was first, the next round begins at one place.
      const at = to(moved.indexOf(true)) as Mark
      if (at !== to(0)) await store.move('a', at, { marks: [to(0) as Mark], at: 1 })
    }
    await Promise.all(stores.map((each) => each.close()))
  })
})
