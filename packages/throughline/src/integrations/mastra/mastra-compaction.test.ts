import { Agent } from '@mastra/core/agent'
import { afterEach, expect, test } from 'vitest'
import { createOpenAI } from '@ai-sdk/openai'
import { mastraCompaction } from './index.ts'
import { memoryStore } from '../../stores/memory.ts'
import { RequestContext } from '@mastra/core/request-context'
import { startProvider, type ProviderScript } from '../../testing/provider/index.ts'

const open: { close: () => Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

const long = 'word '.repeat(900)

async function setting(script: ProviderScript, id: () => string | undefined) {
  const provider = await startProvider({ script, rules: { strict: true } })
  open.push(provider)
  const openai = createOpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none' })
  const compaction = mastraCompaction({ store: memoryStore(), window: { context: 16_000 }, id })
  const agent = new Agent({
    id: 'agent',
    name: 'agent',
    instructions: 'Be brief.',
    model: openai.chat('scripted') as never,
    inputProcessors: [compaction],
    errorProcessors: [compaction],
  })
  return { provider, compaction, agent }
}

test('a conversation goes on where the memory gives the newest message alone', async () => {
  const { provider, compaction, agent } = await setting(
    ({ number }) => ({ text: `Answer ${number}. ${long}` }),
    () => 'a',
  )
  for (let turn = 1; turn <= 20; turn++) await agent.generate(`Question ${turn}. ${long}`)
  const log = await (await compaction.session('a')).log()
  expect(log.filter((entry) => entry.kind === 'message')).toHaveLength(40)
  expect(log.filter(({ kind }) => kind === 'rewind')).toEqual([])
  expect(log.filter(({ kind }) => kind === 'checkpoint').length).toBeGreaterThan(0)
  const sizes = provider.requests.map(({ body }) => JSON.stringify(body).length / 4)
  expect(Math.max(...sizes)).toBeLessThan(16_000)
  const second = provider.requests[1]?.said.flatMap((part) =>
    part.type === 'text' ? part.text : [],
  )
  expect(second?.some((text) => text.startsWith('Question 1.'))).toBe(true)
})

test('each thread has a session of its own, and so has each call without one', async () => {
  const { compaction, agent } = await setting(
    () => ({ text: 'Yes.' }),
    () => undefined,
  )
  const requestContext = new RequestContext()
  requestContext.set('MastraMemory', { thread: { id: 'thread-1' } })
  await agent.generate('Hello.', { requestContext })
  await agent.generate('Something else.')
  const log = await (await compaction.session('thread-1')).log()
  expect(log.filter((entry) => entry.kind === 'message')).toHaveLength(2)
})
