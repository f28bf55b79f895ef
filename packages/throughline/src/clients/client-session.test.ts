import { expect, it } from 'vitest'
import { assistant, human } from '../testing/generate/build.ts'
import { memoryStore } from '../stores/memory.ts'
import { ClientSession } from './client-session.ts'

it('says why code wrote a summary, also where the model had failed ahead of the compaction', async () => {
  const failed = Promise.withResolvers<void>()
  let asked = 0
  const client = ClientSession.open({
    store: memoryStore(),
    id: 'a',
    frame: { model: 'm', window: { context: 32_000 } },
    directories: [],
    patience: 10_000,
    ask: async () => {
      asked += 1
      throw Object.assign(new Error('invalid x-api-key'), { status: 401 })
    },
    told: ({ became }) => {
      if (became === 'failed') failed.resolve()
    },
  })
  const said = [human('Look at all of it.')]
  const fill = async (share: number): Promise<void> => {
    const { session } = client
    while (session.measure().tokens < session.budget().usable * share) {
      said.push(assistant(`part ${said.length}: ${'word '.repeat(300)}`))
      await client.follow(said)
    }
  }
  await fill(0.8)
  await expect(client.gate()).resolves.toBeUndefined()
  await failed.promise
  await fill(1)
  await expect(client.gate()).resolves.toMatchObject({
    by: 'local',
    reason: expect.stringContaining('invalid x-api-key'),
  })
  expect(asked).toBe(1)
})
