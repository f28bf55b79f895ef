import Anthropic from '@anthropic-ai/sdk'
import { afterEach, describe, expect, test } from 'vitest'
import { memoryStore } from '../../stores/memory.ts'
import { openConversation } from './open-conversation.ts'
import { overflowError } from '../../testing/overflow-errors.ts'
import { startProvider, type ProviderScript } from '../../testing/provider/scripted-provider.ts'
import type { ConversationOptions } from './open-conversation.ts'
import type {
  Message,
  MessageParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages'

const open: { close: () => Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

const system = [{ type: 'text' as const, text: 'You read files.' }]
const tools = [{ name: 'read', input_schema: { type: 'object' as const } }]

/** An agent over the SDK, as anyone would write it. */
async function agent(script: ProviderScript, options: Partial<ConversationOptions> = {}) {
  const provider = await startProvider({ script })
  open.push(provider)
  const client = new Anthropic({ baseURL: provider.url, apiKey: 'none', maxRetries: 0 })
  const settings = { store: memoryStore(), id: 'a', window: { context: 16_000 }, ...options }
  const conversation = await openConversation<MessageParam>({ ...settings, system, tools })
  async function run(task: MessageParam[]): Promise<MessageParam[]> {
    let messages = task
    for (;;) {
      const exchange = await conversation.send(messages, (messages, { signal }) =>
        client.messages.create(
          { model: 'scripted', max_tokens: 1_000, system, tools, messages },
          { signal },
        ),
      )
      messages = exchange.messages
      const results = resultsOf(exchange.response)
      if (results.length === 0) return messages
      messages.push({ role: 'user', content: results })
    }
  }
  return { provider, client, conversation, run, settings }
}

function resultsOf({ content }: Message): ToolResultBlockParam[] {
  return content.flatMap((block) =>
    block.type === 'tool_use'
      ? [
          {
            type: 'tool_result',
            tool_use_id: block.id,
            content: `${JSON.stringify(block.input)} holds value\n`.repeat(150),
          },
        ]
      : [],
  )
}

function reads(count: number): ProviderScript {
  return ({ number }) =>
    number > count
      ? { text: 'Done.' }
      : { reasoning: 'Next.', calls: [{ name: 'read', input: { path: `src/${number}.ts` } }] }
}

const task: MessageParam[] = [{ role: 'user', content: 'Read 20 files. Never edit main.ts.' }]

describe('a conversation over the SDK', () => {
  test('fits its window to the end, and keeps all that was said', async () => {
    const { conversation, provider, run } = await agent(reads(20))
    const messages = await run(task)
    expect(messages.at(-1)).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'Done.' }],
    })
    expect(provider.requests).toHaveLength(21)
    const log = await conversation.session.log()
    expect(log.some(({ kind }) => kind === 'prune' || kind === 'checkpoint')).toBe(true)
    const answers = log.filter((entry) => entry.kind === 'message' && entry.origin === 'model')
    expect(answers).toHaveLength(21)
    expect(answers[0]).toMatchObject({
      model: 'scripted',
      finish: 'tool-calls',
      usage: { inputTokens: expect.any(Number) as number },
    })
    const sizes = provider.requests.map(({ body }) => JSON.stringify(body).length / 4)
    expect(Math.max(...sizes)).toBeLessThan(16_000)
  })

  test('compacts and asks again where the provider says that it is too long', async () => {
    const limit = 9_000
    const refused: number[] = []
    const { conversation, provider, run } = await agent((request) => {
      const tokens = JSON.stringify(request.body).length / 4
      if (tokens > limit) {
        refused.push(request.number)
        return { error: overflowError('anthropic', { tokens: Math.ceil(tokens), limit }) }
      }
      const steps = request.number - refused.length
      return steps > 20
        ? { text: 'Done.' }
        : { calls: [{ name: 'read', input: { path: `src/${steps}.ts` } }] }
    })
    const messages = await run(task)
    expect(messages.at(-1)?.content).toMatchObject([{ text: 'Done.' }])
    expect(refused).toHaveLength(1)
    expect(conversation.session.window.context).toBe(limit)
    expect(provider.requests).toHaveLength(22)
  })

  test('goes on in another process from the store, and from an array that was kept as JSON', async () => {
    const first = await agent(reads(12))
    const messages = await first.run(task)
    const next = await agent([{ text: 'Well.' }, { text: 'Good.' }], {
      store: first.settings.store,
    })
    expect(next.conversation.messages()).toEqual(messages)
    const kept = JSON.parse(JSON.stringify(messages)) as MessageParam[]
    const before = (await next.conversation.session.log()).length
    const after = await next.run([...kept, { role: 'user', content: 'And now?' }])
    expect(after.at(-1)?.content).toMatchObject([{ text: 'Well.' }])
    const log = await next.conversation.session.log()
    const said = log.slice(before).filter(({ kind }) => kind === 'message')
    expect(said).toHaveLength(2)
  })

  test('takes a full history that the caller never shortens', async () => {
    const { conversation, provider, client } = await agent(reads(20), {})
    const all = [...task]
    for (;;) {
      const { response } = await conversation.send(all, (messages) =>
        client.messages.create({ model: 'scripted', max_tokens: 1_000, messages }),
      )
      all.push({ role: 'assistant', content: response.content })
      const results = resultsOf(response)
      if (results.length === 0) break
      all.push({ role: 'user', content: results })
    }
    expect(all).toHaveLength(42)
    const sizes = provider.requests.map(({ body }) => JSON.stringify(body).length / 4)
    expect(Math.max(...sizes)).toBeLessThan(16_000)
  })

  test('gives back the very objects that came, as long as nothing has changed', async () => {
    const { conversation, client } = await agent([{ text: 'One.' }, { text: 'Two.' }])
    const sent: MessageParam[][] = []
    const ask = (messages: MessageParam[]) => {
      sent.push(messages)
      return client.messages.create({ model: 'scripted', max_tokens: 1_000, messages })
    }
    const { messages } = await conversation.send(task, ask)
    expect(messages[0]).toBe(task[0])
    const second = [...messages, { role: 'user' as const, content: 'More.' }]
    const { messages: all } = await conversation.send(second, ask)
    expect(all.slice(0, 3).every((message, index) => message === second[index])).toBe(true)
    expect(sent[1]?.every((message, index) => message === second[index])).toBe(true)
  })

  test('says so where calls have no results, and sends nothing', async () => {
    const { conversation, provider } = await agent([])
    const messages: MessageParam[] = [
      ...task,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] },
    ]
    await expect(
      conversation.send(messages, () => Promise.reject(new Error('sent'))),
    ).rejects.toMatchObject({ code: 'PENDING_CALLS' })
    expect(provider.requests).toEqual([])
  })

  test('throws what the SDK threw, and has lost nothing', async () => {
    const { conversation, client } = await agent([{ error: new Error('down') }, { text: 'Up.' }])
    const ask = (messages: MessageParam[]) =>
      client.messages.create({ model: 'scripted', max_tokens: 9, messages })
    await expect(conversation.send(task, ask)).rejects.toBeInstanceOf(Anthropic.InternalServerError)
    const { messages } = await conversation.send(task, ask)
    expect(messages).toHaveLength(2)
    expect(await conversation.session.history()).toHaveLength(2)
  })

  test('is stopped by a signal', async () => {
    const { conversation, client } = await agent([{ hangs: 'before' }])
    const stop = new AbortController()
    const sending = conversation.send(
      task,
      (messages, { signal }) => {
        const asked = client.messages.create(
          { model: 'scripted', max_tokens: 9, messages },
          { signal },
        )
        stop.abort()
        return asked
      },
      { signal: stop.signal },
    )
    await expect(sending).rejects.toThrow('aborted')
    expect(conversation.messages()).toEqual(task)
  })
})
