import OpenAI from 'openai'
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import { afterEach, expect, test } from 'vitest'
import { agentsCompaction } from './index.ts'
import { memoryStore } from '../../stores/memory.ts'
import { messageText } from '../../log/message.ts'
import { startProvider, type ProviderScript } from '../../testing/provider/index.ts'
import type { AgentInputItem } from '@openai/agents'

const open: { close: () => Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

const read = tool({
  name: 'read',
  description: 'Reads a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  } as never,
  strict: true,
  execute: (input: unknown) => `${JSON.stringify(input)} holds value\n`.repeat(150),
})

/** An agent that reads as many files as its script says, and its runner. */
async function setting(script: ProviderScript, window = 16_000) {
  setTracingDisabled(true)
  const provider = await startProvider({ script, rules: { strict: true } })
  open.push(provider)
  const openAIClient = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none', maxRetries: 0 })
  const store = memoryStore()
  const compacted = () => agentsCompaction({ store, id: 'a', window: { context: window } })
  const models = new OpenAIProvider({ openAIClient: openAIClient as never, useResponses: true })
  const agent = new Agent({ name: 'agent', model: 'scripted', tools: [read] })
  return { provider, compacted, models, agent }
}

function reads(count: number): ProviderScript {
  return ({ said }) => {
    const results = said.filter((part) => part.type === 'result').length
    const asked = said.findLast((part) => part.type === 'text')
    const isDone = results >= count || (asked?.type === 'text' && asked.text === 'And?')
    return isDone ? { text: 'Done.' } : { calls: [{ name: 'read', input: { path: `${results}` } }] }
  }
}

async function kindsOf(compaction: ReturnType<typeof agentsCompaction>) {
  const log = await (await compaction.log()).log()
  return log.map((entry) => (entry.kind === 'message' ? entry.message.role : entry.kind))
}

test('the next run goes on in the session, also in another process, and says nothing twice', async () => {
  const { provider, compacted, models, agent } = await setting(reads(3))
  const first = compacted()
  const runner = new Runner({ modelProvider: first.modelProvider(models) })
  const { session, callModelInputFilter } = first
  await runner.run(agent, 'Read 3 files.', { session, callModelInputFilter })
  expect((await session.getItems()).length).toBe(8)
  await runner.run(agent, 'And?', { session, callModelInputFilter })
  const again = compacted()
  const second = new Runner({ modelProvider: again.modelProvider(models) })
  const { finalOutput } = await second.run(agent, 'And?', {
    session: again.session,
    callModelInputFilter: again.callModelInputFilter,
  })
  expect(finalOutput).toBe('Done.')
  const kinds = await kindsOf(again)
  expect(kinds.filter((kind) => kind === 'user')).toHaveLength(3)
  expect(kinds.filter((kind) => kind === 'tool')).toHaveLength(3)
  expect(kinds).not.toContain('rewind')
  const texts = provider.requests
    .at(-1)
    ?.said.flatMap((part) => (part.type === 'text' && part.role === 'user' ? [part.text] : []))
  expect(texts).toEqual(['Read 3 files.', 'And?', 'And?'])
})

test('a session alone keeps what a run says, gives the newest, takes back and clears', async () => {
  const { compacted, models, agent } = await setting(reads(2))
  const { session } = compacted()
  const runner = new Runner({ modelProvider: models })
  await runner.run(agent, 'Read 2 files.', { session })
  const items = await session.getItems()
  expect(items.map((item) => ('role' in item ? item.role : item.type))).toEqual([
    'user',
    'function_call',
    'function_call_result',
    'function_call',
    'function_call_result',
    'assistant',
  ])
  expect(await session.getItems(2)).toEqual(items.slice(-2))
  expect(await session.popItem()).toMatchObject({ role: 'assistant' })
  expect(await session.getItems()).toHaveLength(5)
  await session.clearSession()
  expect(await session.getItems()).toEqual([])
})

test('a session compacts when it is asked to, as OpenAIResponsesCompactionSession does', async () => {
  const { compacted, models, agent } = await setting(reads(40), 200_000)
  const compaction = compacted()
  const { session } = compaction
  const runner = new Runner({ modelProvider: models })
  await runner.run(agent, 'Read 40 files.', { session, maxTurns: 60 })
  const before = JSON.stringify(await session.getItems()).length
  expect(await session.runCompaction()).toBeNull()
  expect(await session.runCompaction({ force: true })).toMatchObject({
    usage: { inputTokens: 0, outputTokens: 0 },
  })
  expect(JSON.stringify(await session.getItems()).length).toBeLessThan(before / 2)
  expect(await kindsOf(compaction)).toContain('checkpoint')
})

test('a streamed run fits, and compacts and asks again where it is refused', async () => {
  let refused = 0
  const { compacted, models, agent, provider } = await setting(async (request) => {
    const tokens = Math.ceil(JSON.stringify(request.body).length / 4)
    if (tokens > 9_000) {
      refused += 1
      return { refuses: 'overflow' }
    }
    const count = request.number - refused
    return count > 20
      ? { text: 'Done.' }
      : { calls: [{ name: 'read', input: { path: `${count}` } }] }
  }, 64_000)
  const compaction = compacted()
  const runner = new Runner({ modelProvider: compaction.modelProvider(models) })
  const { session, callModelInputFilter } = compaction
  const options = { session, callModelInputFilter, maxTurns: 60, stream: true } as const
  const run = await runner.run(agent, 'Read 20 files.', options)
  for await (const _ of run) continue
  expect(run.finalOutput).toBe('Done.')
  expect(refused).toBeGreaterThan(0)
  expect(refused).toBeLessThan(6)
  expect(provider.requests.filter(({ tools }) => tools.length === 0)).toEqual([])
  const log = await (await compaction.log()).log()
  expect(log.filter((entry) => entry.kind === 'message' && entry.usage).length).toBeGreaterThan(19)
})

test('an agent that is called as a tool is not part of the conversation', async () => {
  const { compacted, models } = await setting(({ said }) => {
    const first = said.find((part) => part.type === 'text' && part.role === 'user')
    if (first?.type === 'text' && first.text === 'A side question.') return { text: 'Aside.' }
    return said.some((part) => part.type === 'result')
      ? { text: 'Done.' }
      : { calls: [{ name: 'ask', input: { input: 'A side question.' } }] }
  })
  const compaction = compacted()
  const provider = compaction.modelProvider(models)
  const helper = new Agent({ name: 'helper', model: compaction.model(await models.getModel('x')) })
  const ask = helper.asTool({ toolName: 'ask', toolDescription: 'Asks.' })
  const agent = new Agent({ name: 'agent', model: 'scripted', tools: [ask] })
  const { session, callModelInputFilter } = compaction
  const runner = new Runner({ modelProvider: provider })
  await runner.run(agent, 'Ask the helper.', { session, callModelInputFilter })
  const log = await (await compaction.log()).log()
  const texts = log.flatMap((entry) =>
    entry.kind === 'message' ? [messageText(entry.message)] : [],
  )
  expect(texts[0]).toBe('Ask the helper.')
  expect(texts).not.toContain('A side question.')
  expect(texts.at(-1)).toBe('Done.')
})

test('an item has its id only behind the reasoning that came with it', async () => {
  const window = { context: 16_000 }
  const { callModelInputFilter } = agentsCompaction({ store: memoryStore(), id: 'a', window })
  const steps = Array.from({ length: 60 }, (_, step): AgentInputItem[] => [
    { type: 'reasoning', id: `rs_${step}`, content: [], providerData: { encrypted_content: 'x' } },
    {
      role: 'assistant',
      id: `msg_${step}`,
      status: 'completed',
      content: [{ type: 'output_text', text: `Now file ${step}. `.repeat(40) }],
    },
    { type: 'function_call', id: `fc_${step}`, callId: `${step}`, name: 'read', arguments: '{}' },
    {
      type: 'function_call_result',
      callId: `${step}`,
      name: 'read',
      status: 'completed',
      output: { type: 'text', text: `value of ${step}\n`.repeat(20) },
    },
  ])
  const request = (content: string): AgentInputItem => ({ role: 'user', content })
  const said = [request('Read the files.'), ...steps.slice(0, 59).flat(), request('And the rest.')]
  const { input } = await callModelInputFilter({
    modelData: { input: [...said, ...(steps[59] ?? [])] },
    agent: new Agent({ name: 'agent' }),
    context: undefined,
  })
  const ids = input.flatMap((item) => ('id' in item && item.id !== undefined ? [item.id] : []))
  const named = ids.filter((id) => !id.startsWith('rs_'))
  const reasoned = ids.filter((id) => id.startsWith('rs_'))
  expect(input.length).toBeLessThan(said.length)
  expect(reasoned).toEqual(['rs_59'])
  expect(named).toEqual(['msg_59', 'fc_59'])
  // The calls themselves stand, also without their ids.
  expect(input.filter(({ type }) => type === 'function_call').length).toBeGreaterThan(1)
})
