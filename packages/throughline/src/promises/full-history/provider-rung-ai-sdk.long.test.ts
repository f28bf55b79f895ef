import OpenAI from 'openai'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import {
  generateText,
  isStepCount,
  jsonSchema,
  tool,
  type LanguageModel,
  type ModelMessage,
} from 'ai'
import { describe, expect, it } from 'vitest'
import {
  aiSdkCompaction,
  aiSdkCompactor,
  aiSdkGenerateStep,
  toolSchemas,
} from '../../integrations/ai-sdk/index.ts'
import { toModelMessages } from '../../integrations/ai-sdk/model-messages.ts'
import { anthropicAnswer, found, responsesAnswer, task } from './agent-steps.ts'
import { anthropicServer } from '../../testing/compacting-servers/anthropic-server.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { fieldsOf, type Fields } from '../../json/fields.ts'
import { memoryStore } from '../../stores/memory.ts'
import { openaiCompactor, openResponses } from '../../integrations/openai/index.ts'
import { openaiServer } from '../../testing/compacting-servers/openai-server.ts'
import { openSession } from '../../session/session.ts'
import { run } from '../../session/loop/loop.ts'
import type { ProviderCompactor } from '../../compaction/provider/provider-compactor.ts'
import type { Report } from '../../compaction/report.ts'
import type { SessionEvent } from '../../session/events.ts'

/*
 * The same rung behind the AI SDK, whose own packages ask the provider and send its block back.
 */
const rule = 'Never edit main.ts.'

function watched(window: number) {
  const reports: Report[] = []
  const onEvent = (event: SessionEvent): void => {
    if (event.type === 'compaction-finished') reports.push(event.report)
  }
  const policy = { ...defaultPolicy, prune: () => undefined }
  return { store: memoryStore(), id: 'a', onEvent, policy, window: { context: window }, reports }
}

/** The SDK's package wants a name for each item. */
const numbered = (number: number): Fields[] =>
  responsesAnswer(number).map((item) => ({ id: `fc-${number}`, ...item }))

const read = (more = '') => ({
  read: tool({
    inputSchema: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
    }),
    execute: ({ path }) => `${found(Number(/\d+/.exec(path)?.[0]))}${more}`,
  }),
})

interface Side {
  model: Exclude<LanguageModel, string>
  compactor: ProviderCompactor
  window: number
  tools: ReturnType<typeof read>
  providerOptions: { openai?: { store: boolean } }
  refused: readonly string[]
  heard: readonly string[]
  asked: () => number
}

const sides: Record<string, () => Side> = {
  openai: () => {
    let number = 0
    const server = openaiServer({ window: 32_000, answer: () => numbered(++number) })
    const model = createOpenAI({ apiKey: 'x', fetch: server.fetch as typeof fetch }).responses(
      'gpt-5.4',
    )
    const providerOptions = { openai: { store: false } }
    return {
      model,
      compactor: aiSdkCompactor({ model, providerOptions }),
      window: 32_000,
      tools: read(),
      providerOptions,
      refused: server.refused,
      heard: server.heard,
      asked: server.triggered,
    }
  },
  anthropic: () => {
    let number = 0
    const answer = (): Fields[] => anthropicAnswer(++number) as Fields[]
    const server = anthropicServer({ window: 110_000, answer })
    const model = createAnthropic({ apiKey: 'x', fetch: server.fetch as typeof fetch })(
      'claude-opus-4-6',
    )
    return {
      model,
      compactor: aiSdkCompactor({ model }),
      window: 110_000,
      tools: read('more of it\n'.repeat(600)),
      providerOptions: {},
      refused: server.refused,
      heard: server.heard,
      asked: () => server.compactions.paused,
    }
  },
}

describe.each(Object.keys(sides))("%s's own compaction through the AI SDK", (name) => {
  const opened = (): Side => (sides[name] as () => Side)()

  it('stands for the head in an agent whose loop is the SDK’s', async () => {
    const { model, compactor, window, tools, providerOptions, refused, heard, asked } = opened()
    const { reports, ...options } = watched(window)
    const compaction = aiSdkCompaction({ ...options, model, compactor })
    const { prepareStep, onStepEnd } = compaction
    const agent = { model: compaction.model, prepareStep, onStepEnd, tools, providerOptions }
    const first: ModelMessage[] = [{ role: 'user', content: task }]
    const { responseMessages } = await generateText({
      ...agent,
      messages: first,
      stopWhen: isStepCount(110),
    })
    expect(refused).toEqual([])
    expect(reports.length).toBeGreaterThan(1)
    expect(reports.map(({ rung }) => rung)).toEqual(reports.map(() => 'provider'))
    expect(asked()).toBe(reports.length)
    for (const { spent, summarizer } of reports) {
      expect(summarizer).toBe(`${name}/${model.modelId}`)
      expect(spent?.inputTokens).toBeGreaterThan(5_000)
      expect(spent?.cost).toBeGreaterThan(0)
    }
    expect(heard.every((one) => one.includes(rule))).toBe(true)
    expect(heard.at(-1)).toContain('COMPACTED')
    // Its own full history, and what it sent last after it was a file: nothing is said twice.
    const session = await compaction.session()
    const said = (await session.history()).length
    for (const messages of [[...first, ...responseMessages], copyOf(await sentBy(compaction))]) {
      const before = reports.length
      await prepareStep({ messages, steps: [], initialInstructions: undefined } as never)
      expect(await session.history()).toHaveLength(said)
      expect(reports).toHaveLength(before)
    }
    const log = await session.log()
    expect(log.filter(({ kind }) => kind === 'rewind')).toEqual([])
  })

  it('stands for the head in a session that runs itself, and goes when the process is another', async () => {
    const { model, compactor, window, tools, providerOptions, refused, heard, asked } = opened()
    const { reports, ...options } = watched(window)
    const schemas = await toolSchemas(tools)
    const own = { ...options, compactor, model: model.modelId, tools: schemas }
    const session = await openSession(own)
    await session.say(task)
    const step = aiSdkGenerateStep({ model, tools, providerOptions })
    await run({ session, step, maxSteps: 110 })
    expect(refused).toEqual([])
    expect(reports.length).toBeGreaterThan(1)
    expect(reports.map(({ rung }) => rung)).toEqual(reports.map(() => 'provider'))
    expect(asked()).toBe(reports.length)
    expect(heard.every((one) => one.includes(rule))).toBe(true)
    const again = await openSession(own)
    expect(again.messages()).toEqual(session.messages())
    await run({ session: again, step, maxSteps: 1 })
    expect(refused).toEqual([])
    expect(heard.at(-1)).toContain('COMPACTED')
    // Who cannot read it gets our summary.
    const elsewhere = await openSession({
      ...own,
      compactor: undefined,
      provider: 'other',
    } as never)
    expect(JSON.stringify(elsewhere.messages())).toContain('<prior-conversation-summary>')
    expect(JSON.stringify(elsewhere.messages())).not.toContain('COMPACTED')
  })
})

const copyOf = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

async function sentBy({ session }: ReturnType<typeof aiSdkCompaction>): Promise<ModelMessage[]> {
  const { system, messages } = toModelMessages((await session()).messages())
  expect(system).toEqual([])
  return messages
}

describe("what OpenAI's own package compacted", () => {
  it('is read through the AI SDK as well, and replaced by our summary where it cannot be', async () => {
    let number = 0
    const server = openaiServer({ window: 32_000, answer: () => numbered(++number) })
    const client = new OpenAI({ apiKey: 'x', fetch: server.fetch, maxRetries: 0 })
    const compactor = openaiCompactor(client, { model: 'gpt-5.4' })
    const { reports, ...options } = watched(32_000)
    const conversation = await openResponses({ ...options, compactor })
    let all = [{ type: 'message', role: 'user', content: task }] as never[]
    for (let step = 1; step <= 45; step++) {
      const { messages } = await conversation.send(all, (input) =>
        client.responses.create({ model: 'gpt-5.4', store: false, input: input as never }),
      )
      const id = fieldsOf(messages.at(-1))?.['call_id']
      const output = found(Number(String(id).split('-')[1]))
      all = [...messages, { type: 'function_call_output', call_id: id, output }] as never[]
    }
    await conversation.take(all)
    expect(reports.map(({ rung }) => rung)).toContain('provider')
    const model = createOpenAI({ apiKey: 'x', fetch: server.fetch as typeof fetch }).responses(
      'gpt-5.4',
    )
    const session = await openSession({ ...options, provider: 'openai' })
    const step = (store: boolean) =>
      aiSdkGenerateStep({ model, tools: read(), providerOptions: { openai: { store } } })
    await run({ session, step: step(false), maxSteps: 1 })
    expect(server.refused).toEqual([])
    expect(server.heard.at(-1)).toContain('COMPACTED')
    expect(server.heard.at(-1)).toContain(rule)
    // A copy of what was sent is known again, the block in its other form, too.
    const compaction = aiSdkCompaction({ session, model })
    const said = await session.history()
    const messages = copyOf(await sentBy(compaction))
    expect(JSON.stringify(messages)).toContain('openai.compaction')
    await compaction.prepareStep({ messages, steps: [], initialInstructions: undefined } as never)
    expect(await session.history()).toEqual(said)
    // Stored items are sent by name, and this one is not stored.
    await run({ session, step: step(true), maxSteps: 1 })
    expect(server.refused).toHaveLength(1)
    expect(server.heard.at(-1)).toContain('<prior-conversation-summary>')
    expect(server.heard.at(-1)).toContain(rule)
  })
})
