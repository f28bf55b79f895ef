import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { compactionMiddleware } from '../integrations/langchain/index.ts'
import { createAgent, tool } from 'langchain'
import { generateText, isStepCount } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { aiSdkCompaction, aiSdkStep } from '../integrations/ai-sdk/index.ts'
import { memoryStore } from '../stores/memory.ts'
import { modelOn } from './faults/wires.ts'
import { openChat } from '../integrations/openai/index.ts'
import { openConversation } from '../integrations/anthropic/index.ts'
import { openSession, type Session } from '../session/session.ts'
import { partsOf } from '../log/message.ts'
import { run } from '../session/loop/loop.ts'
import { lines, tools } from '../testing/generate/agent.ts'
import {
  startProvider,
  type ProviderRules,
  type ScriptedProvider,
  type ServedRequest,
} from '../testing/provider/index.ts'
import { z } from 'zod'
import type { ChatResult } from '@langchain/core/outputs'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { SessionEvent } from '../session/events.ts'

const running: ScriptedProvider[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((provider) => provider.close()))
})

const steps = 70

/** Thinks before each of its calls, and of some reads much: there is something to prune. */
function thoughtful(thought: number): { reasoning: string; calls: object[] } {
  const reasoning = `Thought ${thought}: ${lines(`idea ${thought}`, 30)}`
  const tokens = thought % 3 === 0 ? 1_500 : 150
  return {
    reasoning,
    calls: [{ name: 'read', input: { path: `src/part-${thought}.ts`, tokens } }],
  }
}

async function provider(rules: ProviderRules): Promise<ScriptedProvider> {
  let thought = 0
  const started = await startProvider({
    script: () => {
      thought += 1
      return thought > steps ? { text: 'All is read.' } : (thoughtful(thought) as never)
    },
    rules: { strict: true, ...rules },
  })
  running.push(started)
  return started
}

interface Ended {
  session: Session
  events: SessionEvent[]
  requests: readonly ServedRequest[]
  /** The last that was said. */
  last: string
}

type Agent = (rules: ProviderRules) => Promise<Ended>

function settingsOf(events: SessionEvent[], store = memoryStore()) {
  let clock = 0
  return {
    store,
    id: 'thinker',
    window: { context: 14_000 },
    now: () => ++clock,
    onEvent: (event: SessionEvent) => events.push(event),
  }
}

const request = 'Read all parts, one by one. Never edit main.ts.'

const looped: Agent = async (rules) => {
  const events: SessionEvent[] = []
  const { url, requests } = await provider(rules)
  const session = await openSession({ ...settingsOf(events), system: 'You read files.' })
  const step = aiSdkStep({
    model: modelOn('anthropic', url, 'thinker'),
    tools,
    maxOutputTokens: 1_000,
  })
  await session.say(request)
  await run({ session, step, maxSteps: 2 * steps })
  return { session, events, requests, last: JSON.stringify(session.messages().at(-1)) }
}

const compacted: Agent = async (rules) => {
  const events: SessionEvent[] = []
  const { url, requests } = await provider(rules)
  const compaction = aiSdkCompaction({
    ...settingsOf(events),
    model: modelOn('anthropic', url, 'thinker') as LanguageModelV4,
  })
  const { model, prepareStep, onStepEnd } = compaction
  const { text } = await generateText({
    model,
    prepareStep,
    onStepEnd,
    tools,
    maxOutputTokens: 1_000,
    maxRetries: 0,
    messages: [{ role: 'user', content: request }],
    stopWhen: isStepCount(2 * steps),
  })
  return { session: await compaction.session(), events, requests, last: text }
}

const anthropic: Agent = async (rules) => {
  const events: SessionEvent[] = []
  const { url, requests } = await provider(rules)
  const client = new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 })
  const system = 'You read files.'
  const conversation = await openConversation<MessageParam>({ ...settingsOf(events), system })
  let messages: MessageParam[] = [{ role: 'user', content: request }]
  for (;;) {
    const exchange = await conversation.send(messages, (sent) =>
      client.messages.create({ model: 'thinker', max_tokens: 1_000, system, messages: sent }),
    )
    messages = exchange.messages
    const { content } = exchange.response
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
    if (calls.length === 0) {
      return { session: conversation.session, events, requests, last: JSON.stringify(content) }
    }
    messages.push({
      role: 'user',
      content: calls.map(({ id, input }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: read(input as Read),
      })),
    })
  }
}

const chat: Agent = async (rules) => {
  const events: SessionEvent[] = []
  const { url, requests } = await provider(rules)
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 })
  const conversation = await openChat<ChatCompletionMessageParam>(settingsOf(events))
  let messages: ChatCompletionMessageParam[] = [{ role: 'user', content: request }]
  for (;;) {
    const exchange = await conversation.send(messages, (sent) =>
      client.chat.completions.create({ model: 'thinker', messages: sent }),
    )
    messages = exchange.messages
    const message = exchange.response.choices[0]?.message
    const calls = (message?.tool_calls ?? []).flatMap((call) =>
      call.type === 'function' ? [call] : [],
    )
    if (calls.length === 0) {
      return { session: conversation.session, events, requests, last: String(message?.content) }
    }
    for (const { id, function: called } of calls) {
      const content = read(JSON.parse(called.arguments) as Read)
      messages.push({ role: 'tool', tool_call_id: id, content })
    }
  }
}

/** A chat model of LangChain that asks a provider of Anthropic Messages, as its own package does. */
class ThinkingChatModel extends BaseChatModel {
  readonly model = 'thinker'
  readonly #client: Anthropic

  constructor(url: string) {
    super({ maxRetries: 0 })
    this.#client = new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 })
  }

  _llmType(): string {
    return 'thinking'
  }

  override bindTools(): this {
    return this
  }

  async _generate(given: BaseMessage[]): Promise<ChatResult> {
    const { content, usage, stop_reason } = await this.#client.messages.create({
      model: this.model,
      max_tokens: 1_000,
      messages: anthropicMessages(given),
    })
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
    const message = new AIMessage({
      content,
      tool_calls: calls.map(({ id, name, input }) => ({ id, name, args: input })),
      response_metadata: { stop_reason },
      usage_metadata: {
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        total_tokens: usage.input_tokens + usage.output_tokens,
      },
    } as never)
    return { generations: [{ text: '', message }] }
  }
}

interface Said {
  role: 'user' | 'assistant'
  content: ContentBlockParam[]
}

/** Messages of one role that follow each other become one, as that package does it. */
function anthropicMessages(given: readonly BaseMessage[]): MessageParam[] {
  const all: Said[] = []
  for (const message of given) {
    const role = AIMessage.isInstance(message) ? 'assistant' : 'user'
    const last = all.at(-1)
    const into: Said = last?.role === role ? last : { role, content: [] }
    if (into !== last) all.push(into)
    into.content.push(...blocksOf(message))
  }
  return all
}

function blocksOf(message: BaseMessage): ContentBlockParam[] {
  const content = message.content as string | ContentBlockParam[]
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  if (!ToolMessage.isInstance(message)) return blocks
  return [{ type: 'tool_result', tool_use_id: message.tool_call_id, content: blocks as never }]
}

const langchain: Agent = async (rules) => {
  const events: SessionEvent[] = []
  const { url, requests } = await provider(rules)
  const { id, ...settings } = settingsOf(events)
  const agent = createAgent({
    model: new ThinkingChatModel(url),
    tools: [
      tool((input: Read) => read(input), {
        name: 'read',
        schema: z.object({ path: z.string(), tokens: z.number() }),
      }),
    ],
    middleware: [compactionMiddleware(settings)],
  })
  const { messages } = await agent.invoke(
    { messages: [new HumanMessage(request)] },
    { configurable: { thread_id: id }, recursionLimit: 4 * steps },
  )
  const session = await openSession(settingsOf([], settings.store))
  return { session, events, requests, last: JSON.stringify(messages.at(-1)?.content) }
}

interface Read {
  path: string
  tokens: number
}

function read({ path, tokens }: Read): string {
  return lines(path, tokens)
}

const agents: readonly [string, Agent][] = [
  ['aiSdkStep and run', looped],
  ['aiSdkCompaction', compacted],
  ['an Anthropic conversation', anthropic],
  ['compactionMiddleware', langchain],
  ['a Chat Completions conversation', chat],
]

function refusedIn(requests: readonly ServedRequest[]): number {
  return requests.filter(({ refused }) => refused !== undefined).length
}

function changes(events: readonly SessionEvent[]): number {
  return events.filter((event) => event.type === 'compaction-finished').length
}

/** What the views were changed by: prunes and summaries. */
function kindsOf(events: readonly SessionEvent[]): Set<string> {
  return new Set(
    events.flatMap((event) => (event.type === 'compaction-finished' ? [event.report.action] : [])),
  )
}

function thoughtsIn(request: ServedRequest | undefined): number {
  return new Set(JSON.stringify(request?.body).match(/Thought \d+:/g)).size
}

describe.each(agents)('%s, over 70 steps that think', (_, agent) => {
  it('finishes where thinking is demanded, and is never refused', async () => {
    const { events, requests, last } = await agent({ demandsThinking: true })
    expect(last).toContain('All is read.')
    expect(changes(events)).toBeGreaterThan(3)
    expect(refusedIn(requests)).toBe(0)
  })

  it('finishes where nobody cares, and keeps thinking through each compaction', async () => {
    const { events, requests, last } = await agent({})
    expect(last).toContain('All is read.')
    expect(changes(events)).toBeGreaterThan(3)
    expect(refusedIn(requests)).toBe(0)
    expect(kindsOf(events)).toEqual(new Set(['prune', 'summary']))
    for (const request of requests.slice(2)) expect(thoughtsIn(request)).toBeGreaterThan(0)
  })

  it('finishes where thinking is refused', async () => {
    const { events, requests, last, session } = await agent({ bindsThinking: true })
    expect(last).toContain('All is read.')
    expect(changes(events)).toBeGreaterThan(3)
    expect(refusedIn(requests)).toBeGreaterThan(0)
    const log = await session.log()
    expect(
      log.some((entry) => entry.kind === 'observation' && entry.observation.type === 'reasoning'),
    ).toBe(true)
  })

  it('finishes where it is both', async () => {
    const { events, last } = await agent({ bindsThinking: true, demandsThinking: true })
    expect(last).toContain('All is read.')
    expect(changes(events)).toBeGreaterThan(2)
  })
})

describe.each(agents.slice(0, 4))('%s, where thinking is bound to its prefix', (_, agent) => {
  it('learns it once', async () => {
    const { requests, events } = await agent({ bindsThinking: true })
    expect(refusedIn(requests)).toBe(1)
    const told = events.filter((event) => event.type === 'reasoning-refused')
    expect(told).toMatchObject([{ provider: 'refuses' }])
    expect(told[0]?.dropped.reasoning.length).toBeGreaterThan(0)
  })

  it('learns each rule once where it is also demanded, and holds no step twice', async () => {
    const { requests, session } = await agent({ bindsThinking: true, demandsThinking: true })
    expect(refusedIn(requests)).toBe(2)
    const called = (await session.log()).flatMap((entry) =>
      entry.kind === 'message' && entry.message.role === 'assistant'
        ? partsOf(entry.message).flatMap((part) =>
            part.type === 'tool-call' ? [part.toolCallId] : [],
          )
        : [],
    )
    expect(new Set(called).size).toBe(called.length)
  })
})
