import { afterAll, afterEach, describe, expect, it } from 'vitest'
import pg from 'pg'
import { dropSchemas, newSchema, skipsWithout, testPostgres } from './testing/test-postgres.ts'
import { explained } from './errors.ts'
import { postgresGatewayStore } from './postgres-gateway-store.ts'
import type { GatewayStore } from '../store/gateway-store.ts'

const url = skipsWithout(await testPostgres())
const open: GatewayStore[] = []
const schemas: string[] = []
const role = `${newSchema()}_weak`

async function asOwner(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

function opened(at: string, schema = newSchema()): GatewayStore {
  schemas.push(schema)
  const store = postgresGatewayStore({ url: at, schema, connections: 1, timeout: 60_000 })
  open.push(store)
  return store
}

function urlWith({ user, database }: { user?: string; database?: string }): string {
  const to = new URL(url)
  if (user !== undefined) to.username = user
  if (database !== undefined) to.pathname = `/${database}`
  return to.href
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((store) => store.close()))
})

afterAll(async () => {
  await dropSchemas(url, schemas)
  if (url !== '') await asOwner(`DROP ROLE IF EXISTS ${role}`)
})

describe.skipIf(url === '')('a database that is not set up says what to do', () => {
  it('where it is not there', async () => {
    const store = opened(urlWith({ database: 'nowhere' }))
    await expect(store.ping()).rejects.toThrow(/create it .*THROUGHLINE_STORE.*\(3D000\)/)
  })

  it('where the user may not make tables, or use those that are there', async () => {
    await asOwner(`CREATE ROLE ${role} LOGIN`)
    await expect(opened(urlWith({ user: role })).ping()).rejects.toThrow(/GRANT .*\(42501\)/)
    const schema = newSchema()
    await opened(url, schema).ping()
    const store = opened(urlWith({ user: role }), schema)
    await expect(store.ping()).rejects.toThrow(/GRANT .*\(42501\)/)
    // The advice is taken.
    await asOwner(
      `GRANT USAGE ON SCHEMA ${schema} TO ${role}; GRANT ALL ON ALL TABLES IN SCHEMA ${schema} TO ${role}; GRANT ALL ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
    )
    await store.ping()
    expect(await store.secret()).toHaveLength(32)
    await asOwner(`DROP SCHEMA ${schema} CASCADE`)
    await expect(store.secret()).rejects.toThrow(/restore .*restart the gateway.*\(42P01\)/)
  })
})

describe('a refusal of Postgres', () => {
  it.each([
    ['28P01', /password.*THROUGHLINE_STORE/],
    ['28000', /pg_hba\.conf/],
    ['25006', /primary/],
    ['53300', /max_connections/],
    ['53100', /make room/],
    ['XX000', /its own log/],
  ])('with the code %s says what to do', (code, advice) => {
    const cause = Object.assign(new Error('as it says'), { code, severity: 'FATAL' })
    expect(explained(cause).message).toMatch(advice)
    expect(explained(cause).message).toContain(`(${code})`)
  })
})
