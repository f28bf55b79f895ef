import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  dropSchemas,
  newSchema,
  skipsWithout,
  testPostgres,
} from '../postgres/testing/test-postgres.ts'
import { startTeamGateway } from './serve-team.ts'

const store = skipsWithout(await testPostgres())
const schema = newSchema()
const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

afterAll(() => dropSchemas(store, [schema]))

async function replicaWith(key: number) {
  const lines: string[] = []
  const gateway = await startTeamGateway({
    config: { host: '127.0.0.1', port: 0, store, schema, sessionInterface: 'callers' },
    env: { THROUGHLINE_ENCRYPTION_KEYS: Buffer.alloc(32, key).toString('base64') },
    logTo: { write: (line) => void lines.push(line) },
  })
  ends.push(() => gateway.close())
  return { gateway, lines }
}

describe.skipIf(store === '')('a replica without the key of what is stored', () => {
  it('says so when it starts, and what to do', async () => {
    const { gateway } = await replicaWith(1)
    const headers = { 'x-api-key': 'sk-1' }
    const sessions = () => fetch(`${gateway.url}/throughline/sessions`, { headers })
    expect((await sessions()).status).toBe(200)
    const { lines } = await replicaWith(2)
    await expect
      .poll(() => lines.join(''), { timeout: 20_000 })
      .toContain('a key that is not here: add the key')
  })
})
