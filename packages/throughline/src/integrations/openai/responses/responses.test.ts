import OpenAI from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import { compactInput } from './compact.ts'
import { defaultPolicy } from '../../../compaction/policy.ts'
import { isSummaryBlock } from '../../../compaction/render/summary-block.ts'
import { memoryStore } from '../../../stores/memory.ts'
import { openResponses } from './open-responses.ts'
import { overflowError } from '../../../testing/overflow-errors.ts'
import { startProvider, type ProviderScript } from '../../../testing/provider/scripted-provider.ts'
import type { ResponseInputItem, Tool } from 'openai/resources/responses/responses'

const open: { close: () => Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

const window = { context: 16_000 }
const tools: Tool[] = [
  { type: 'function', name: 'read', parameters: { type: 'object' }, strict: false },
]
const instructions = 'You read files.'
const task: ResponseInputItem[] = [{ role: 'user', content: 'Read 20 files. Never edit main.ts.' }]

/** An agent over the SDK, as anyone would write it. */
async function agent(script: ProviderScript) {
  const provider = await startProvider({ script })
  open.push(provider)
  const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none', maxRetries: 0 })
  const conversation = await openResponses<ResponseInputItem>({
    store: memoryStore(),
    id: 'a',
    window,
    system: instructions,
    tools,
  })
  async function run(): Promise<ResponseInputItem[]> {
    let input = task
    for (;;) {
      const { response, messages } = await conversation.send(input, (input, { signal }) =>
        client.responses.create(
          { model: 'scripted', instructions, tools, input, store: false },
          { signal },
        ),
      )
      input = messages
      const calls = response.output.filter((item) => item.type === 'function_call')
      if (calls.length === 0) return input
      for (const { call_id, arguments: read } of calls) {
        const output = `${read} holds value\n`.repeat(150)
        input.push({ type: 'function_call_output', call_id, output })
      }
    }
  }
  return { provider, client, conversation, run }
}

function reads(count: number): ProviderScript {
  return ({ number }) =>
    number > count
      ? { text: 'Done.' }
      : { reasoning: 'Next.', calls: [{ name: 'read', input: { path: `src/${number}.ts` } }] }
}

describe('a conversation over the SDK', () => {
  test('fits its window to the end', async () => {
    const { conversation, provider, run } = await agent(reads(20))
    const input = await run()
    expect(input.at(-1)).toMatchObject({
      type: 'message',
      content: [{ type: 'output_text', text: 'Done.' }],
    })
    const log = await conversation.session.log()
    expect(log.some(({ kind }) => kind === 'prune' || kind === 'checkpoint')).toBe(true)
    expect(log.filter((entry) => entry.kind === 'message' && entry.usage)).toHaveLength(21)
    const sizes = provider.requests.map(({ body }) => JSON.stringify(body).length / 4)
    expect(Math.max(...sizes)).toBeLessThan(window.context)
  })

  test('compacts and asks again where the provider says that it is too long', async () => {
    const limit = 9_000
    let refused = 0
    const { run } = await agent(({ body, number }) => {
      const tokens = Math.ceil(JSON.stringify(body).length / 4)
      if (tokens > limit) {
        refused += 1
        return { error: overflowError('openai', { tokens, limit }) }
      }
      return number - refused > 20
        ? { text: 'Done.' }
        : { calls: [{ name: 'read', input: { path: `src/${number}.ts` } }] }
    })
    expect((await run()).at(-1)).toMatchObject({ content: [{ text: 'Done.' }] })
    expect(refused).toBe(1)
  })

  test('and where a response that came says so', async () => {
    const { conversation, client } = await agent([{ text: 'Done.' }])
    const long: ResponseInputItem[] = [
      ...Array.from({ length: 6 }, (_, index): ResponseInputItem[] => [
        { role: 'user', content: `Question ${index}. ${'word '.repeat(600)}` },
        { role: 'assistant', content: `Answer ${index}. ${'word '.repeat(600)}` },
      ]).flat(),
      ...task,
    ]
    let asked = 0
    const { messages } = await conversation.send(long, async (input) => {
      asked += 1
      const response = await (asked === 1
        ? undefined
        : client.responses.create({ model: 'scripted', input, store: false }))
      const code = 'context_length_exceeded'
      const message = 'Your input exceeds the context window of this model.'
      return response ?? { output: [], model: 'm', status: 'failed', error: { code, message } }
    })
    expect(asked).toBe(2)
    expect(messages.at(-1)).toMatchObject({ role: 'assistant' })
    const log = await conversation.session.log()
    expect(log.some(({ kind }) => kind === 'checkpoint' || kind === 'prune')).toBe(true)
  })
})

describe('compactInput', () => {
  const policy = { ...defaultPolicy, prune: () => undefined }

  function longTask(steps: number): ResponseInputItem[] {
    return [
      ...task,
      ...Array.from({ length: steps }, (_, index): ResponseInputItem[] => [
        { type: 'reasoning', id: `rs${index}`, summary: [], encrypted_content: 'sealed' },
        {
          type: 'function_call',
          id: `fc${index}`,
          call_id: `c${index}`,
          name: 'read',
          arguments: `{"path":"src/${index}.ts"}`,
          status: 'completed',
        },
        {
          type: 'function_call_output',
          call_id: `c${index}`,
          output: `const value${index} = ${index}\n`.repeat(120),
        },
      ]).flat(),
    ]
  }

  test('leaves the reasoning of the current loop where it is, behind a summary', async () => {
    const input = longTask(30)
    const { messages: shorter } = await compactInput(input, { window, policy })
    expect(isSummaryBlock(String((shorter[0] as { content?: unknown }).content))).toBe(true)
    expect(shorter.slice(-4, -1)).toEqual(input.slice(-3))
    expect(shorter.at(-2)).toBe(input.at(-1))
  })

  test('leaves older reasoning out whole, and the ids that need it', async () => {
    const input: ResponseInputItem[] = [
      { role: 'user', content: 'Another conversation.' },
      ...longTask(30),
    ]
    const asked: ResponseInputItem[] = [...input, { role: 'user', content: 'And?' }]
    const { messages: shorter } = await compactInput(asked, { window, policy })
    expect(shorter.some(({ type }) => type === 'reasoning')).toBe(false)
    expect(shorter.at(-3)).toEqual({ ...input.at(-2), id: undefined })
    expect(shorter.at(-2)).toBe(input.at(-1))
    const next: ResponseInputItem[] = [...shorter, { role: 'user', content: 'And?' }]
    const again = await compactInput(next, { window, policy, trigger: 'manual' })
    expect(again.log.find(({ kind }) => kind !== 'message')?.kind).toBe('checkpoint')
    expect(again.report.action).not.toBe('none')
  })

  test("keeps a compaction of the provider's, and what a developer says", async () => {
    const input = longTask(30)
    input.unshift({ type: 'compaction', encrypted_content: 'sealed' })
    input.splice(5, 0, { role: 'developer', content: 'Answer in French from now on.' })
    const { messages: shorter } = await compactInput(input, { window, policy })
    expect(shorter.slice(0, 2)).toEqual([input[0], input[5]])
    expect(isSummaryBlock(String((shorter[2] as { content?: unknown }).content))).toBe(true)
  })

  test('says so where the calls of its outputs lie at the provider', async () => {
    const input: ResponseInputItem[] = [
      { type: 'function_call_output', call_id: 'c1', output: 'found' },
    ]
    await expect(compactInput(input, { window })).rejects.toMatchObject({
      code: 'MESSAGE_CONVERSION',
    })
  })
})
