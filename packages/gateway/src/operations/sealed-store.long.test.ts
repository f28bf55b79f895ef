import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  dropSchemas,
  newSchema,
  skipsWithout,
  testPostgres,
} from '../postgres/testing/test-postgres.ts'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isSealed } from '../encryption/seal.ts'
import { ownKeys } from '../encryption/own-key.ts'
import { join } from 'node:path'
import { postgresGatewayStore } from '../postgres/postgres-gateway-store.ts'
import { startTeamGateway } from './serve-team.ts'
import { tmpdir } from 'node:os'
import pg from 'pg'

const store = skipsWithout(await testPostgres())
const schema = newSchema()
const schemas = [schema]
const folder = mkdtempSync(join(tmpdir(), 'keys-'))
const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

afterAll(() => dropSchemas(store, schemas))

const withKey = (key: number) => ({
  THROUGHLINE_ENCRYPTION_KEYS: Buffer.alloc(32, key).toString('base64'),
})

async function replicaWith(env: Readonly<Record<string, string>>, of = schema) {
  const lines: string[] = []
  const gateway = await startTeamGateway({
    config: { host: '127.0.0.1', port: 0, store, schema: of, sessionInterface: 'callers' },
    env,
    logTo: { write: (line) => void lines.push(line) },
  })
  ends.push(() => gateway.close())
  return { gateway, lines }
}

describe.skipIf(store === '')('a replica without the key of what is stored', () => {
  it('says so when it starts, and what to do', async () => {
    const { gateway } = await replicaWith(withKey(1))
    const headers = { 'x-api-key': 'sk-1' }
    const sessions = () => fetch(`${gateway.url}/throughline/sessions`, { headers })
    expect((await sessions()).status).toBe(200)
    const { lines } = await replicaWith(withKey(2))
    await expect
      .poll(() => lines.join(''), { timeout: 20_000 })
      .toContain('a key that is not here: copy the file')
  })
})

describe.skipIf(store === '')('a store for which nobody has named a key', () => {
  const headers = { 'x-api-key': 'sk-1' }
  const statusOf = async ({ gateway }: Awaited<ReturnType<typeof replicaWith>>) =>
    (await fetch(`${gateway.url}/throughline/sessions`, { headers })).status

  /** The secret as it is stored. */
  async function stored(of: string): Promise<Buffer | undefined> {
    const client = new pg.Client({ connectionString: store })
    await client.connect()
    try {
      const { rows } = await client.query(`SELECT bytes FROM "${of}".secret`)
      return rows[0]?.bytes as Buffer | undefined
    } finally {
      await client.end()
    }
  }

  it('is encrypted from its first start on, with a key that this makes, keeps for its user, and names', async () => {
    const of = newSchema()
    schemas.push(of)
    const file = join(folder, 'made', 'gateway.key')
    const first = await replicaWith({ THROUGHLINE_KEY_FILE: file }, of)
    expect(await statusOf(first)).toBe(200)
    expect(first.lines.filter((line) => line.includes(file))).toHaveLength(1)
    const key = readFileSync(file, 'utf8').trim()
    expect(first.lines.join('')).not.toContain(key)
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(isSealed((await stored(of)) as Buffer)).toBe(true)
    // Replicas with the same file, or with the key, read it; one without does not, and makes no other.
    expect(await statusOf(await replicaWith({ THROUGHLINE_KEY_FILE: file }, of))).toBe(200)
    expect(await statusOf(await replicaWith({ THROUGHLINE_ENCRYPTION_KEYS: key }, of))).toBe(200)
    const none = join(folder, 'none.key')
    const without = await replicaWith({ THROUGHLINE_KEY_FILE: none }, of)
    expect(await statusOf(without)).toBe(503)
    expect(without.lines.join('')).toContain('THROUGHLINE_KEY_FILE')
    expect(existsSync(none)).toBe(false)
  })

  const openedWith = (of: string, file: string, onMade = () => {}) => {
    const opened = postgresGatewayStore({ url: store, schema: of, ownKeys: ownKeys(file, onMade) })
    ends.push(opened.close)
    return opened
  }

  it('is not begun with a file that holds no key yet', async () => {
    const of = newSchema()
    schemas.push(of)
    const file = join(folder, 'empty.key')
    writeFileSync(file, '')
    const opened = openedWith(of, file)
    await expect(opened.secret()).rejects.toThrow('there is no key in it')
    expect(await stored(of)).toBeUndefined()
    writeFileSync(file, Buffer.alloc(32, 7).toString('base64'))
    await opened.secret()
    expect(isSealed((await stored(of)) as Buffer)).toBe(true)
  })

  it('gets one key from replicas that begin at once, and the others read it when they have it', async () => {
    const of = newSchema()
    schemas.push(of)
    // The tables are there: nothing else keeps them apart.
    await openedWith(of, join(folder, 'unused.key')).sessions()
    const made: string[] = []
    const files = ['one', 'two', 'three'].map((name) => join(folder, `${name}.key`))
    const replicas = files.map((file) => openedWith(of, file, () => made.push(file)))
    const begun = await Promise.allSettled(replicas.map((replica) => replica.secret()))
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(made).toEqual(files.filter((file) => existsSync(file)))
    expect(made).toHaveLength(1)
    for (const file of files) copyFileSync(made[0] as string, file)
    const [one, ...others] = await Promise.all(replicas.map((replica) => replica.secret()))
    for (const other of others) expect(other).toEqual(one)
  })

  it('stays as it is where it was begun without encryption, or is to be', async () => {
    const of = newSchema()
    schemas.push(of)
    const before = postgresGatewayStore({ url: store, schema: of })
    const secret = await before.secret()
    await before.close()
    const file = join(folder, 'unused.key')
    expect(await statusOf(await replicaWith({ THROUGHLINE_KEY_FILE: file }, of))).toBe(200)
    expect(await stored(of)).toEqual(Buffer.from(secret))
    const other = newSchema()
    schemas.push(other)
    const off = { THROUGHLINE_KEY_FILE: file, THROUGHLINE_ENCRYPTION_KEYS: 'none' }
    expect(await statusOf(await replicaWith(off, other))).toBe(200)
    expect(isSealed((await stored(other)) as Buffer)).toBe(false)
    expect(existsSync(file)).toBe(false)
  })
})
