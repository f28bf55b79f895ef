import pg from 'pg'
import { storeConformance } from 'throughline/testing'
import { afterAll, afterEach, describe, expect, it, test } from 'vitest'
import {
  dropSchemas,
  emptySchema,
  newSchema,
  skipsWithout,
  testPostgres,
} from './testing/test-postgres.ts'
import { gatewayStoreConformance } from '../store/gateway-store-conformance.ts'
import { openSeal, sealWith, type Seal } from '../encryption/seal.ts'
import { migrate, ownSteps, type Query, type Steps, type Transaction } from './migrations.ts'
import { postgresGatewayStore } from './postgres-gateway-store.ts'
import type { GatewayStore, Mark, World } from '../store/gateway-store.ts'

const url = skipsWithout(await testPostgres())
const open: GatewayStore[] = []
const schemas: string[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((store) => store.close()))
})

afterAll(() => dropSchemas(url, schemas))

function opened(schema = newSchema(), seal: Seal = openSeal): GatewayStore {
  schemas.push(schema)
  const store = postgresGatewayStore({ url, schema, seal, timeout: 60_000, connections: 4 })
  open.push(store)
  return store
}

describe.skipIf(url === '').each([
  ['', openSeal],
  [' that is encrypted', sealWith([Buffer.alloc(32, 7)])],
])('a gateway’s store in Postgres%s', (_, seal) => {
  const schema = newSchema()

  async function empty(): Promise<GatewayStore> {
    const store = opened(schema, seal)
    await store.ping()
    await emptySchema(url, schema)
    return store
  }

  for (const { name, run } of gatewayStoreConformance) test(name, () => run(empty))
  for (const { name, run } of storeConformance) {
    test(`its logs: ${name}`, () => run(async () => (await empty()).logs))
  }
})

describe.skipIf(url === '')('a database', () => {
  it('is prepared once by many that begin together, and is the same for all', async () => {
    const schema = newSchema()
    const stores = Array.from({ length: 4 }, () => opened(schema))
    const secrets = await Promise.all(stores.map((store) => store.secret()))
    for (const secret of secrets) expect(secret).toEqual(secrets[0])
    const row = { id: 'a', world: 'w' as World, instructions: '', model: 'm', created: 1, used: 1 }
    await stores[0]?.begin(row, { marks: ['1' as Mark], at: 1 })
    for (const store of stores) {
      expect(await store.find(row.world, ['1' as Mark])).toMatchObject({ session: row })
    }
  })

  it('keeps what is in use from a replica whose clock is ahead', async () => {
    const store = opened()
    const row = { id: 'a', world: 'w' as World, instructions: '', model: 'm' }
    const month = 30 * 24 * 60 * 60_000
    const used = Date.now() - month / 2
    await store.begin({ ...row, created: used, used }, { marks: ['1' as Mark], at: used })
    const ahead = Date.now() + month
    expect(await store.removeUnused(ahead - month, month)).toBe(0)
    expect(await store.removeUnused(ahead - month, month / 3)).toBe(1)
  })

  it('that a newer version has prepared is left alone, and the reason is said', async () => {
    const schema = newSchema()
    await opened(schema).ping()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`INSERT INTO ${schema}.migrations (number) VALUES (99)`)
    await client.end()
    await expect(opened(schema).ping()).rejects.toMatchObject({
      failure: 'newer',
      message: expect.stringContaining('run that version'),
    })
  })

  it('to which a newer version has added is used by an old one, and by the newer one again', async () => {
    const schema = newSchema()
    const row = { id: 'a', world: 'w' as World, instructions: '', model: 'm', created: 1, used: 1 }
    await opened(schema).begin(row, { marks: ['1' as Mark], at: 1 })
    const newer: Steps = {
      needed: ownSteps.needed,
      added: [
        ...ownSteps.added,
        'CREATE TABLE $schema.later (session text REFERENCES $schema.sessions ON DELETE CASCADE)',
        "ALTER TABLE $schema.sessions ADD COLUMN more text NOT NULL DEFAULT 'kept'",
      ],
    }
    const asNewer = async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const query: Query = async (text, values) =>
        (await client.query(text.replaceAll('$schema', schema), values && [...values])).rows
      try {
        await migrate((work) => work(query), schema, newer)
        return await query('SELECT id, more FROM $schema.sessions ORDER BY id')
      } finally {
        await client.end()
      }
    }
    await asNewer()
    const old = opened(schema)
    expect(await old.find(row.world, ['1' as Mark])).toMatchObject({ session: row })
    await old.begin({ ...row, id: 'b' }, { marks: ['2' as Mark], at: 2 })
    expect(await old.move('a', '1' as Mark, { marks: ['3' as Mark], at: 3 })).toBe(true)
    await old.logs.remove('a')
    expect(await asNewer()).toEqual([
      { id: 'a', more: 'kept' },
      { id: 'b', more: 'kept' },
    ])
  })

  it('of the versions before is prepared for this one, which they go on with', async () => {
    const schema = newSchema()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const query: Query = async (text, values) =>
      (await client.query(text.replaceAll('$schema', schema), values && [...values])).rows
    const before: Steps = { needed: ownSteps.needed, added: [] }
    const alone: Transaction = (work) => work(query)
    await query('BEGIN')
    await migrate(alone, schema, { ...before, needed: before.needed.slice(0, 1) })
    await migrate(alone, schema, before)
    await query('COMMIT')
    await opened(schema).ping()
    // The first version refused every store with a greater number than its own.
    const [row] = await query('SELECT max(number) AS number FROM $schema.migrations')
    expect(row).toEqual({ number: before.needed.length })
    await migrate(alone, schema, before)
    await client.end()
  })

  it('goes on with a new key of encryption once the old one is left out', async () => {
    const schema = newSchema()
    const [old, now] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const secret = await opened(schema, sealWith([old])).secret()
    await expect(opened(schema, sealWith([now])).secret()).rejects.toMatchObject({ code: 'SEAL' })
    expect(await opened(schema, sealWith([now, old])).secret()).toEqual(secret)
    expect(await opened(schema, sealWith([now])).secret()).toEqual(secret)
    // And one that was not encrypted at first is now.
    const plain = newSchema()
    const open = await opened(plain).secret()
    expect(await opened(plain, sealWith([now])).secret()).toEqual(open)
    await expect(opened(plain).secret()).rejects.toMatchObject({ code: 'SEAL' })
  })

  it('says what another replica has heard of the newest answer, and of no older one', async () => {
    const store = opened()
    const [one, two] = ['1', '2'] as Mark[]
    const row = { id: 'a', world: 'w' as World, instructions: '', model: 'm', created: 1, used: 1 }
    await store.begin(row, { marks: [one as Mark], at: 1 })
    expect(await store.heardOf?.('a', one as Mark)).toBeUndefined()
    await store.heard?.('a', {
      to: one as Mark,
      usage: { inputTokens: 7, outputTokens: 2 },
      model: 'm',
    })
    expect(await store.heardOf?.('a', one as Mark)).toEqual({
      to: '1',
      usage: { inputTokens: 7, outputTokens: 2 },
      model: 'm',
    })
    await store.heard?.('a', { to: two as Mark })
    expect(await store.heardOf?.('a', one as Mark)).toBeUndefined()
  })
})
