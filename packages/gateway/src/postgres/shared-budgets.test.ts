import pg from 'pg'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { agent } from './testing/long-agent.ts'
import { asked } from '../testing/started.ts'
import { dropSchemas, newSchema, skipsWithout, testPostgres } from './testing/test-postgres.ts'
import { sha256Of, startTeam } from '../testing/team.ts'

const url = skipsWithout(await testPostgres())
const schema = newSchema()
afterAll(() => dropSchemas(url, [schema]))

/** An answer has ended before the store is told what it took: waits until that is known of so many. */
async function untilSpent(callers: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const spent = `SELECT 1 FROM ${pg.escapeIdentifier(schema)}.spending WHERE key LIKE 'caller %' AND tokens >= 50000`
  await vi
    .waitFor(async () => expect((await client.query(spent)).rowCount).toBe(callers), 10_000)
    .finally(() => client.end())
}

describe.skipIf(url === '')('on one Postgres', () => {
  it('a key and a caller get what they are granted once, from all replicas and after a restart', async () => {
    const team = await startTeam(
      {
        store: url,
        schema,
        identity: ['x-user'],
        keys: [{ name: 'mine', sha256: sha256Of('key-1'), tokensPerDay: 120_000 }],
        callers: { tokensPerDay: 50_000 },
      },
      () => ({ text: 'Once upon a time.', usage: { input: 20, output: 50_000 } }),
    )
    const ask = async (at: { url: string }, user: string): Promise<number> => {
      const body = agent.body({ model: 'm', said: agent.ask('Hi.'), streams: true, tools: false })
      const headers = { authorization: 'Bearer key-1', 'x-user': user }
      return (await asked(at, agent.path('m', true), body, headers)).status
    }
    try {
      const [one, other] = [await team.replica(), await team.replica()]
      expect(await ask(one, 'anna')).toBe(200)
      await untilSpent(1)
      expect([await ask(other, 'anna'), await ask(other, 'ben')]).toEqual([429, 200])
      await untilSpent(2)
      expect(await ask(one, 'ben')).toBe(429)
      await one.close()
      const again = await team.replica()
      expect(await ask(again, 'anna')).toBe(429)
      // The key has 20,000 left, which is enough to begin one.
      expect([await ask(again, 'carl'), await ask(again, 'dora')]).toEqual([200, 429])
      expect(team.provider.requests).toHaveLength(3)
    } finally {
      await team.close()
    }
  })
})
