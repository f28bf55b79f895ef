import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages'
import { createAgent, tool } from 'langchain'
import { generateText, jsonSchema, tool as aiTool, type ModelMessage } from 'ai'
import { z } from 'zod'
import { aiSdkCompaction } from '../../integrations/ai-sdk/index.ts'
import {
  compact,
  openConversation,
  type AnthropicMessage,
} from '../../integrations/anthropic/index.ts'
import { compactionMiddleware } from '../../integrations/langchain/index.ts'
import {
  compactChat,
  compactInput,
  openChat,
  openResponses,
  type ResponsesItem,
} from '../../integrations/openai/index.ts'
import { calling, ScriptedChatModel } from '../../testing/scripted-chat-model.ts'
import { compactMessages } from '../../session/once/compact-messages.ts'
import { lines } from '../../testing/generate/agent.ts'
import { memoryStore } from '../../stores/memory.ts'
import { openSession } from '../../session/session.ts'
import { reconcile } from '../../session/reconcile/reconcile.ts'
import { run } from '../../session/loop/loop.ts'
import { scriptedModel } from '../../testing/scripted-model.ts'
import type { Fields } from '../../json/fields.ts'
import type { Message } from '../../log/message.ts'
import type { SessionEvent } from '../../session/events.ts'

/** What a host's requests held, step by step, and how many compactions they took. */
export interface Walked {
  requests: readonly (readonly unknown[])[]
  compactions: number
}

/** An agent of so many steps whose host hands over its whole history at each of them. */
export type Door = (steps: number) => Promise<Walked>

const window = { context: 32_000 }
const task = 'Read all the files, one after the other. Never edit main.ts.'

const asked = { role: 'user' as const, content: task }

const path = (number: number): string => `src/part-${number}.ts`
const found = (number: number): string => lines(path(number), 800)
const remark = (number: number): string => `I read ${path(number)} now.`

function counted() {
  let compactions = 0
  return {
    compactions: () => compactions,
    options: {
      store: memoryStore(),
      id: 'a',
      window,
      onEvent: (event: SessionEvent) => {
        if (event.type === 'compaction-finished') compactions += 1
      },
    },
  }
}

function stepOf(number: number): Message[] {
  const toolCallId = `call-${number}`
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: remark(number) },
        { type: 'tool-call', toolCallId, toolName: 'read', input: { path: path(number) } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId,
          toolName: 'read',
          output: { type: 'text', value: found(number) },
        },
      ],
    },
  ]
}

/** The project's own loop, which hands over nothing: what the others are held against. */
export const ownLoop: Door = async (steps) => {
  const { options, compactions } = counted()
  const session = await openSession(options)
  const requests: (readonly unknown[])[] = []
  await session.say(task)
  await run({
    session,
    maxSteps: steps,
    step: async ({ messages }) => {
      requests.push([...messages])
      const said = stepOf(requests.length) as Extract<Message, { role: 'assistant' | 'tool' }>[]
      return { messages: said, finish: 'tool-calls' }
    },
  })
  return { requests, compactions: compactions() }
}

const reconciled: Door = async (steps) => {
  const { options, compactions } = counted()
  const session = await openSession(options)
  const requests: (readonly unknown[])[] = []
  const all: Message[] = [{ role: 'user', content: task }]
  for (let number = 1; number <= steps; number++) {
    await reconcile(session, all)
    await session.fit()
    requests.push([...session.messages()])
    all.push(...stepOf(number))
  }
  return { requests, compactions: compactions() }
}

/** The same through JSON, so that nothing is the object that it was. */
const reconciledCopies: Door = async (steps) => {
  const { options, compactions } = counted()
  const session = await openSession(options)
  const requests: (readonly unknown[])[] = []
  const all: Message[] = [{ role: 'user', content: task }]
  for (let number = 1; number <= steps; number++) {
    await reconcile(session, JSON.parse(JSON.stringify(all)) as Message[])
    await session.fit()
    requests.push([...session.messages()])
    all.push(...stepOf(number))
  }
  return { requests, compactions: compactions() }
}

/** The host's own loop: one call of the SDK for each step, each time with all that was said. */
const aiSdk: Door = async (steps) => {
  const { options, compactions } = counted()
  let number = 0
  const inner = scriptedModel({
    script: () => ({
      text: remark(++number),
      calls: [{ name: 'read', input: { path: path(number) }, id: `call-${number}` }],
    }),
  })
  const compaction = aiSdkCompaction({ ...options, model: inner })
  const { model, prepareStep, onStepEnd } = compaction
  const tools = {
    read: aiTool({
      inputSchema: jsonSchema<{ path: string }>({ type: 'object' }),
      execute: async () => found(number),
    }),
  }
  const all: ModelMessage[] = [{ role: 'user', content: task }]
  for (let step = 1; step <= steps; step++) {
    const { responseMessages } = await generateText({
      model,
      prepareStep,
      onStepEnd,
      tools,
      messages: all,
    })
    all.push(...responseMessages)
  }
  return { requests: inner.requests.map(({ prompt }) => prompt), compactions: compactions() }
}

const aiSdkLoop: Door = async (steps) => {
  const { options, compactions } = counted()
  let number = 0
  const inner = scriptedModel({
    script: () => ({
      text: remark(++number),
      calls: [{ name: 'read', input: { path: path(number) }, id: `call-${number}` }],
    }),
  })
  const { model, prepareStep, onStepEnd } = aiSdkCompaction({ ...options, model: inner })
  const tools = {
    read: aiTool({
      inputSchema: jsonSchema<{ path: string }>({ type: 'object' }),
      execute: async () => found(number),
    }),
  }
  await generateText({
    model,
    prepareStep,
    onStepEnd,
    tools,
    messages: [{ role: 'user', content: task }],
    stopWhen: () => number >= steps,
  })
  return { requests: inner.requests.map(({ prompt }) => prompt), compactions: compactions() }
}

function anthropicAnswer(number: number) {
  const use = { id: `call-${number}`, name: 'read', input: { path: path(number) } }
  return [{ type: 'text', text: remark(number) }, Object.assign({ type: 'tool_use' }, use)]
}

function anthropicStep(number: number): AnthropicMessage[] {
  const result = { type: 'tool_result', tool_use_id: `call-${number}`, content: found(number) }
  return [
    { role: 'assistant', content: anthropicAnswer(number) },
    { role: 'user', content: [result] },
  ]
}

const anthropic: Door = async (steps) => {
  const { options, compactions } = counted()
  const conversation = await openConversation(options)
  const requests: (readonly unknown[])[] = []
  const all: AnthropicMessage[] = [{ role: 'user', content: task }]
  for (let number = 1; number <= steps; number++) {
    await conversation.send(all, async (messages) => {
      requests.push([...messages])
      return {
        content: anthropicAnswer(number),
        model: 'scripted',
        stop_reason: 'tool_use',
        usage: { input_tokens: JSON.stringify(messages).length >> 2, output_tokens: 30 },
      }
    })
    all.push(...anthropicStep(number))
  }
  return { requests, compactions: compactions() }
}

function chatAnswer(number: number) {
  const input = JSON.stringify({ path: path(number) })
  return {
    role: 'assistant' as const,
    content: remark(number),
    tool_calls: [
      {
        id: `call-${number}`,
        type: 'function' as const,
        function: { name: 'read', arguments: input },
      },
    ],
  }
}

function chatStep(number: number) {
  return [
    chatAnswer(number),
    { role: 'tool' as const, tool_call_id: `call-${number}`, content: found(number) },
  ]
}

const chat: Door = async (steps) => {
  const { options, compactions } = counted()
  const conversation = await openChat(options)
  const requests: (readonly unknown[])[] = []
  const all: Parameters<typeof conversation.send>[0][number][] = [{ role: 'user', content: task }]
  for (let number = 1; number <= steps; number++) {
    await conversation.send(all, async (messages) => {
      requests.push([...messages])
      return {
        choices: [{ message: chatAnswer(number), finish_reason: 'tool_calls' }],
        model: 'scripted',
        usage: { prompt_tokens: JSON.stringify(messages).length >> 2, completion_tokens: 30 },
      }
    })
    all.push(...chatStep(number))
  }
  return { requests, compactions: compactions() }
}

function responsesAnswer(number: number): Fields[] {
  const content = [{ type: 'output_text', text: remark(number), annotations: [] }]
  const input = JSON.stringify({ path: path(number) })
  return [
    { type: 'message', id: `msg-${number}`, role: 'assistant', status: 'completed', content },
    { type: 'function_call', call_id: `call-${number}`, name: 'read', arguments: input },
  ]
}

function responsesStep(number: number): Fields[] {
  const output = { call_id: `call-${number}`, output: found(number) }
  return [...responsesAnswer(number), { type: 'function_call_output', ...output }]
}

const responses: Door = async (steps) => {
  const { options, compactions } = counted()
  const conversation = await openResponses(options)
  const requests: (readonly unknown[])[] = []
  const all: ResponsesItem[] = [asked as ResponsesItem]
  for (let number = 1; number <= steps; number++) {
    await conversation.send(all, async (messages) => {
      requests.push([...messages])
      return {
        output: responsesAnswer(number),
        model: 'scripted',
        status: 'completed',
        usage: { input_tokens: JSON.stringify(messages).length >> 2, output_tokens: 30 },
      }
    })
    all.push(...responsesStep(number))
  }
  return { requests, compactions: compactions() }
}

/** A host that keeps all messages itself, and no checkpointer: one run for each step. */
const langchainWith =
  ({ keeps }: { keeps: boolean }): Door =>
  async (steps) => {
    const { options, compactions } = counted()
    const { window, onEvent, store } = options
    let number = 0
    const model = new ScriptedChatModel((messages) =>
      messages.at(-1)?.getType() === 'tool'
        ? new AIMessage(`Part ${number} is read.`)
        : calling('read', { path: path(++number) }, `call-${number}`),
    )
    const read = tool(() => found(number), { name: 'read', schema: z.object({ path: z.string() }) })
    const agent = createAgent({
      model,
      tools: [read],
      middleware: [compactionMiddleware({ window, onEvent, ...(keeps && { store }) })],
    })
    const all: BaseMessage[] = []
    for (let step = 1; step <= steps; step += 2) {
      all.push(new HumanMessage(step === 1 ? task : `Now part ${step}.`))
      await agent.invoke({ messages: all }, keeps ? { configurable: { thread_id: 'a' } } : {})
      all.push(
        calling('read', { path: path(number) }, `call-${number}`),
        new ToolMessage({ content: found(number), tool_call_id: `call-${number}`, name: 'read' }),
        new AIMessage(`Part ${number} is read.`),
      )
    }
    const requests = model.requests.map((request) =>
      request.map((message) => [message.getType(), message.content, toolCallsOf(message)]),
    )
    return { requests, compactions: compactions() }
  }

function toolCallsOf(message: BaseMessage): unknown {
  return AIMessage.isInstance(message) ? message.tool_calls : undefined
}

function stateless<Native>(
  first: Native,
  stepOf: (number: number) => readonly Native[],
  compact: (
    messages: readonly Native[],
    options: { window: typeof window },
  ) => Promise<{ messages: readonly Native[]; report: { action: string } }>,
): Door {
  return async (steps) => {
    const requests: (readonly unknown[])[] = []
    const all: Native[] = [first]
    let compactions = 0
    for (let number = 1; number <= steps; number++) {
      const { messages, report } = await compact(all, { window })
      requests.push(messages)
      if (report.action !== 'none') compactions += 1
      all.push(...stepOf(number))
    }
    return { requests, compactions }
  }
}

/** The SDK's own loop around the function that has no session. */
const prepareStep: Door = async (steps) => {
  let number = 0
  let compactions = 0
  const model = scriptedModel({
    script: () => ({
      text: remark(++number),
      calls: [{ name: 'read', input: { path: path(number) }, id: `call-${number}` }],
    }),
  })
  await generateText({
    model,
    prepareStep: async ({ messages: all }) => {
      const { messages, report } = await compactMessages(all, { window })
      if (report.action !== 'none') compactions += 1
      return { messages }
    },
    tools: {
      read: aiTool({
        inputSchema: jsonSchema<{ path: string }>({ type: 'object' }),
        execute: async () => found(number),
      }),
    },
    messages: [{ role: 'user', content: task }],
    stopWhen: () => number >= steps,
  })
  return { requests: model.requests.map(({ prompt }) => prompt), compactions }
}

/** Every door that a host comes through with its whole history. */
export const doors: Readonly<Record<string, Door>> = {
  reconcile: reconciled,
  'reconcile, copies': reconciledCopies,
  'aiSdkCompaction, a call for each step': aiSdk,
  "aiSdkCompaction, the SDK's own loop": aiSdkLoop,
  openConversation: anthropic,
  openChat: chat,
  openResponses: responses,
  compactionMiddleware: langchainWith({ keeps: true }),
  'compactionMiddleware, without a store': langchainWith({ keeps: false }),
  'compactMessages in prepareStep': prepareStep,
  compactMessages: stateless<Message>(asked, stepOf, compactMessages),
  compact: stateless<AnthropicMessage>(asked, anthropicStep, compact),
  compactChat: stateless<Parameters<typeof compactChat>[0][number]>(asked, chatStep, compactChat),
  compactInput: stateless<ResponsesItem>(asked as ResponsesItem, responsesStep, compactInput),
}
