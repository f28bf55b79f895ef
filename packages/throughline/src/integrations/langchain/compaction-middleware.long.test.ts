import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages'
import { createAgent, createMiddleware, tool } from 'langchain'
import { describe, expect, test } from 'vitest'
import { MemorySaver } from '@langchain/langgraph'
import { z } from 'zod'
import { compactionMiddleware } from './compaction-middleware.ts'
import {
  calling,
  ScriptedChatModel,
  type ChatScript,
} from '../../testing/scripted/scripted-chat-model.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { memoryStore } from '../../stores/memory.ts'
import { advanceCalibrations, emptyCalibrations } from '../../tokens/calibration.ts'
import { openSession } from '../../session/session.ts'
import type { CompactionMiddlewareOptions } from './options.ts'

const window = { context: 16_000 }
const read = tool(({ path }: { path: string }) => `${path} holds value\n`.repeat(250), {
  name: 'read',
  schema: z.object({ path: z.string() }),
})

/** Reads so many files, one a step. */
function reads(count: number, text = 'Done.'): ChatScript {
  return (_, number) =>
    number > count
      ? new AIMessage(text)
      : calling('read', { path: `src/${number}.ts` }, `call${number}`)
}

function agent(script: ChatScript, options: CompactionMiddlewareOptions = {}) {
  const model = new ScriptedChatModel(script)
  const store = memoryStore()
  const checkpointer = new MemorySaver()
  const middleware = [compactionMiddleware({ window, store, ...options })]
  const agent = createAgent({
    model,
    tools: [read],
    checkpointer,
    middleware,
    systemPrompt: 'Read.',
  })
  const config = { configurable: { thread_id: 'a' }, recursionLimit: 1_000 }
  return {
    model,
    store,
    ask: (text: string) => agent.invoke({ messages: [new HumanMessage(text)] }, config),
    state: async () => {
      const { values } = await agent.graph.getState(config)
      return (values as { messages: BaseMessage[] }).messages
    },
    session: () => openSession({ store, id: 'a', window }),
  }
}

function sizeOf(messages: readonly BaseMessage[]): number {
  return messages.map(({ content }) => JSON.stringify(content)).join('').length / 4
}

/** The numbers of the requests whose answers' thinking is here. */
function thoughtsIn(messages: readonly BaseMessage[]): number[] {
  const found = JSON.stringify(messages.map(({ content }) => content)).matchAll(/Thought (\d+)/g)
  return [...found].map(([, number]) => Number(number))
}

interface Hooks {
  wrapModelCall: (request: { runtime: object }, handler: unknown) => unknown
  afterModel: (state: unknown, runtime: object) => unknown
  afterAgent: (state: unknown, runtime: object) => unknown
}

const ask = 'Read 20 files. Never edit main.ts.'

describe('the middleware', () => {
  test('keeps an agent in its window, and the whole log in the store', async () => {
    const { model, ask: invoke, state, session } = agent(reads(20))
    const { messages } = await invoke(ask)
    expect(messages.at(-1)?.text).toBe('Done.')
    expect(Math.max(...model.requests.map(sizeOf))).toBeLessThan(window.context)
    const { id } = (await state()).at(-1) ?? {}
    expect(id).toBe(messages.at(-1)?.id)
    const kept = await session()
    const log = await kept.log()
    expect(log.some(({ kind }) => kind === 'prune' || kind === 'checkpoint')).toBe(true)
    expect(await kept.history()).toHaveLength(42)
    expect(log.some(({ kind }) => kind === 'rewind')).toBe(false)
  })

  test('gives the state, and the checkpointer, what the model sees', async () => {
    const policy = { ...defaultPolicy, prune: () => undefined }
    const { model, ask: invoke, state } = agent(reads(20), { policy })
    await invoke(ask)
    const [summary] = await state()
    expect(isSummaryBlock(summary?.text ?? '')).toBe(true)
    expect(summary?.text).toContain('Never edit main.ts.')
    const before = await state()
    await invoke('And now?')
    const last = model.requests.at(-1) ?? []
    expect(last.slice(1, -1).map(({ text }) => text)).toEqual(before.map(({ text }) => text))
    expect(last.at(-1)?.text).toBe('And now?')
    expect(
      last.map((message) => message.getType()).filter((type) => type === 'system'),
    ).toHaveLength(1)
  })

  test('compacts and asks again where the provider says that it is too long', async () => {
    let refused = 0
    const {
      model,
      ask: invoke,
      session,
    } = agent((messages, number) => {
      const tokens = Math.ceil(sizeOf(messages))
      if (tokens > 6_000) {
        refused += 1
        throw new Error(`prompt is too long: ${tokens} tokens > 6000 maximum`)
      }
      return reads(20)(messages, number - refused)
    })
    const { messages } = await invoke(ask)
    expect(messages.at(-1)?.text).toBe('Done.')
    expect(refused).toBe(1)
    expect(model.requests).toHaveLength(22)
    const log = await (await session()).log()
    expect(advanceCalibrations(emptyCalibrations(), log).limits.get('scripted')).toBe(6_000)
  })

  test('asks again without the thinking that its provider no longer takes, and learns that', async () => {
    let refused = 0
    let changed: number | undefined
    const {
      model,
      ask: invoke,
      session,
    } = agent(
      (messages, number) => {
        const isChanged = messages.some(({ text }) => text.startsWith('<tool-output-'))
        if (isChanged) changed ??= number
        if (thoughtsIn(messages).some((thought) => thought < (changed ?? 0))) {
          refused += 1
          throw new Error(
            'messages.3.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.',
          )
        }
        const answer = reads(20)(messages, number - refused)
        const thinking = { type: 'thinking', thinking: `Thought ${number}.`, signature: 'c2VhbA==' }
        const text = answer.text === '' ? [] : [{ type: 'text', text: answer.text }]
        return new AIMessage({ content: [thinking, ...text], tool_calls: answer.tool_calls ?? [] })
      },
      { policy: { ...defaultPolicy, pruneAlone: () => true } },
    )
    const { messages } = await invoke(ask)
    expect(messages.at(-1)?.text).toBe('Done.')
    expect(refused).toBeGreaterThan(0)
    expect(refused).toBeLessThan(3)
    expect(thoughtsIn(model.requests[2] ?? []).length).toBeGreaterThan(0)
    const log = await (await session()).log()
    expect(log.filter(({ kind }) => kind === 'observation')).toHaveLength(refused)
  })

  test('says so where nothing can be made shorter, and throws other errors as they came', async () => {
    const tooLong = agent(() => {
      throw new Error('prompt is too long: 9 tokens > 8 maximum')
    })
    await expect(tooLong.ask('Hi.')).rejects.toMatchObject({ cause: { code: 'OVERFLOW' } })
    const down = agent(() => {
      throw new Error('down')
    })
    await expect(down.ask('Hi.')).rejects.toThrow('down')
    expect(down.model.requests).toHaveLength(1)
  })

  test('writes down what an answer took', async () => {
    const response_metadata = { model_name: 'm-1' }
    const usage_metadata = { input_tokens: 90, output_tokens: 5, total_tokens: 95 }
    const { ask: invoke, session } = agent(
      () => new AIMessage({ content: 'Hi.', usage_metadata, response_metadata } as never),
    )
    await invoke('Hi.')
    const [, answer] = await (await session()).history()
    expect(answer).toMatchObject({
      model: 'm-1',
      finish: 'stop',
      usage: { inputTokens: 90, outputTokens: 5 },
    })
  })

  test('lets a model of LangChain write the summaries, and says what their author wants', async () => {
    const small = new ScriptedChatModel(() => new AIMessage('too short'))
    const policy = { ...defaultPolicy, prune: () => undefined }
    const { ask: invoke } = agent(reads(12), {
      policy,
      model: small,
      summaryPrompt: 'Keep all recipes.',
    })
    await invoke(ask)
    const [asked] = small.requests
    expect(asked?.[0]?.text).toContain('Keep all recipes.')
    expect(asked?.[1]?.text).toContain('<conversation>')
  })

  test('works without a thread and without a store', async () => {
    const model = new ScriptedChatModel(reads(20))
    const policy = { ...defaultPolicy, prune: () => undefined }
    const own = createAgent({
      model,
      tools: [read],
      middleware: [compactionMiddleware({ window, policy })],
    })
    const messages = [new HumanMessage(ask)]
    const first = await own.invoke({ messages }, { recursionLimit: 1_000 })
    expect(first.messages.at(-1)?.text).toBe('Done.')
    expect(Math.max(...model.requests.map(sizeOf))).toBeLessThan(window.context)
    const again = [...first.messages, new HumanMessage('And now?')]
    const second = await own.invoke({ messages: again }, { recursionLimit: 1_000 })
    expect(second.messages.at(-1)?.text).toBe('Done.')
    expect(isSummaryBlock(second.messages[0]?.text ?? '')).toBe(true)
  })

  test('knows its thread where LangChain does not tell it, as version 1.1 does not', async () => {
    const store = memoryStore()
    const ours = compactionMiddleware({ window, store }) as unknown as Hooks
    const untold = <Runtime extends object>(runtime: Runtime): Runtime => ({
      ...runtime,
      configurable: undefined,
    })
    const older = {
      ...ours,
      wrapModelCall: (request: { runtime: object }, handler: unknown) =>
        ours.wrapModelCall({ ...request, runtime: untold(request.runtime) }, handler),
      afterModel: (state: unknown, runtime: object) => ours.afterModel(state, untold(runtime)),
      afterAgent: (state: unknown, runtime: object) => ours.afterAgent(state, untold(runtime)),
    }
    const model = new ScriptedChatModel(reads(3))
    const middleware = [older as never]
    const checkpointer = new MemorySaver()
    const agent = createAgent({ model, tools: [read], checkpointer, middleware })
    const config = { configurable: { thread_id: 'mine' } }
    await agent.invoke({ messages: [new HumanMessage(ask)] }, config)
    const session = await openSession({ store, id: 'mine', window })
    expect(await session.history()).toHaveLength(8)
  })

  test('wants to be the first that sees the messages', async () => {
    const model = new ScriptedChatModel(reads(1))
    const other = createMiddleware({
      name: 'Other',
      wrapModelCall: (request, handler) =>
        handler({ ...request, messages: request.messages.slice(1) }),
    })
    const own = createAgent({
      model,
      tools: [read],
      middleware: [other, compactionMiddleware({ window })],
    })
    await expect(own.invoke({ messages: [new HumanMessage('a')] })).rejects.toThrow(
      'Put compactionMiddleware first',
    )
  })
})

describe('the options of summarizationMiddleware', () => {
  test('a trigger compacts though all fits', async () => {
    const { ask: invoke, session } = agent(reads(4), { trigger: { messages: 6 } })
    await invoke(ask)
    const log = await (await session()).log()
    expect(log.filter(({ kind }) => kind === 'checkpoint' || kind === 'prune')).not.toHaveLength(0)
  })

  test('a trigger is not heard where nothing may happen by itself', async () => {
    const policy = { ...defaultPolicy, auto: false }
    const { ask: invoke, session } = agent(reads(4), { trigger: { messages: 6 }, policy })
    await invoke(ask)
    const log = await (await session()).log()
    expect(log.filter(({ kind }) => kind === 'checkpoint' || kind === 'prune')).toEqual([])
  })

  test('a trigger of tokens is counted as the caller counts, and never heard at every step', async () => {
    const counted: number[] = []
    const tokenCounter = (messages: BaseMessage[]): number => {
      counted.push(messages.length)
      return messages.length * 1_000
    }
    const { ask: invoke, session } = agent(reads(12), {
      trigger: [{ tokens: 12_000 }],
      tokenCounter,
    })
    await invoke(ask)
    const log = await (await session()).log()
    const compactions = log.filter(({ kind }) => kind === 'checkpoint' || kind === 'prune')
    expect(counted.length).toBeGreaterThan(12)
    expect(compactions.length).toBeGreaterThan(0)
    expect(compactions.length).toBeLessThan(6)
  })

  test('keep says how much of the newest stays word for word', async () => {
    const policy = { ...defaultPolicy, prune: () => undefined }
    async function kept(keep: CompactionMiddlewareOptions['keep']): Promise<number> {
      const { ask: invoke, state } = agent(reads(11), { policy, ...(keep && { keep }) })
      await invoke(ask)
      return (await state()).filter((message) => message.getType() === 'tool').length
    }
    expect(await kept({ tokens: 1_000 })).toBeLessThan(await kept({ tokens: 5_000 }))
    expect(await kept({ messages: 2 })).toBeLessThan(await kept({ fraction: 0.3 }))
  })

  test.each<[string, Record<string, unknown>]>([
    ['summaryPrefix', { summaryPrefix: 'Before:' }],
    ['trimTokensToSummarize', { trimTokensToSummarize: 4_000 }],
    ['maxTokensBeforeSummary', { maxTokensBeforeSummary: 4_000 }],
    ['messagesToKeep', { messagesToKeep: 20 }],
    ['summaryPrompt', { summaryPrompt: 'Summarize {messages}' }],
    ['trigger', { trigger: {} }],
    ['trigger', { trigger: { fraction: 2 } }],
    ['keep', { keep: { tokens: 1, messages: 1 } }],
    ['keep', { keep: { tokens: -1 } }],
  ])('what cannot mean anything is refused: %s', (option, options) => {
    expect(() => compactionMiddleware(options)).toThrow(
      expect.objectContaining({ code: 'MIDDLEWARE_OPTION', option }),
    )
  })
})
