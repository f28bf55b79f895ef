import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages'
import { createAgent, tool } from 'langchain'
import { generateText, jsonSchema, tool as aiTool, type ModelMessage } from 'ai'
import { z } from 'zod'
import {
  anthropicAnswer,
  anthropicStep,
  asked,
  chatAnswer,
  chatStep,
  found,
  path,
  remark,
  responsesAnswer,
  responsesStep,
  stepOf,
  task,
} from './agent-steps.ts'
import { window, type Door } from './walked.ts'
import { aiSdkCompaction } from '../../integrations/ai-sdk/index.ts'
import { openConversation } from '../../integrations/anthropic/index.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'
import { compactionMiddleware } from '../../integrations/langchain/index.ts'
import { openChat, openResponses } from '../../integrations/openai/index.ts'
import type { ResponsesItem } from '../../wires/openai-responses/calls.ts'
import { calling, ScriptedChatModel } from '../../testing/scripted/scripted-chat-model.ts'
import { memoryStore } from '../../stores/memory.ts'
import { openSession } from '../../session/session.ts'
import { reconcile } from '../../session/reconcile/reconcile.ts'
import { run } from '../../session/loop/loop.ts'
import { scriptedModel } from '../../testing/scripted/scripted-model.ts'
import type { Message } from '../../log/message.ts'
import type { SessionEvent } from '../../session/events.ts'

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

const reconciledAs =
  (given: (all: Message[]) => Message[]): Door =>
  async (steps) => {
    const { options, compactions } = counted()
    const session = await openSession(options)
    const requests: (readonly unknown[])[] = []
    const all: Message[] = [{ role: 'user', content: task }]
    for (let number = 1; number <= steps; number++) {
      await reconcile(session, given(all))
      await session.fit()
      requests.push([...session.messages()])
      all.push(...stepOf(number))
    }
    return { requests, compactions: compactions() }
  }

/** A model that reads a part in each answer, and what the SDK needs to compact for it. */
function readingModel(options: ReturnType<typeof counted>['options']) {
  let number = 0
  const inner = scriptedModel({
    script: () => ({
      text: remark(++number),
      calls: [{ name: 'read', input: { path: path(number) }, id: `call-${number}` }],
    }),
  })
  const { model, prepareStep, onStepEnd } = aiSdkCompaction({ ...options, model: inner })
  const read = aiTool({
    inputSchema: jsonSchema<{ path: string }>({ type: 'object' }),
    execute: async () => found(number),
  })
  return {
    steps: () => number,
    requests: () => inner.requests.map(({ prompt }) => prompt),
    given: { model, prepareStep, onStepEnd, tools: { read } },
  }
}

/** The host's own loop: one call of the SDK for each step, each time with all that was said. */
const aiSdk: Door = async (steps) => {
  const { options, compactions } = counted()
  const { given, requests } = readingModel(options)
  const all: ModelMessage[] = [{ role: 'user', content: task }]
  for (let step = 1; step <= steps; step++) {
    const { responseMessages } = await generateText({ ...given, messages: all })
    all.push(...responseMessages)
  }
  return { requests: requests(), compactions: compactions() }
}

const aiSdkLoop: Door = async (steps) => {
  const { options, compactions } = counted()
  const model = readingModel(options)
  await generateText({
    ...model.given,
    messages: [{ role: 'user', content: task }],
    stopWhen: () => model.steps() >= steps,
  })
  return { requests: model.requests(), compactions: compactions() }
}

type Opened = ReturnType<typeof counted>['options']

/** A conversation to which a host sends all that was said, each time one step more. */
const conversing =
  <Native, Response>(
    open: (options: Opened) => Promise<{
      send: (
        all: Native[],
        ask: (messages: readonly Native[]) => Promise<Response>,
      ) => Promise<unknown>
    }>,
    first: Native,
    stepOf: (number: number) => readonly Native[],
    answer: (number: number, tokens: number) => Response,
  ): Door =>
  async (steps) => {
    const { options, compactions } = counted()
    const conversation = await open(options)
    const requests: (readonly unknown[])[] = []
    const all = [first]
    for (let number = 1; number <= steps; number++) {
      await conversation.send(all, async (messages) => {
        requests.push([...messages])
        return answer(number, JSON.stringify(messages).length >> 2)
      })
      all.push(...stepOf(number))
    }
    return { requests, compactions: compactions() }
  }

const anthropic = conversing<AnthropicMessage, object>(
  (options) => openConversation(options) as never,
  asked as AnthropicMessage,
  anthropicStep,
  (number, input_tokens) => ({
    content: anthropicAnswer(number),
    model: 'scripted',
    stop_reason: 'tool_use',
    usage: { input_tokens, output_tokens: 30 },
  }),
)

const chat = conversing<object, object>(
  (options) => openChat(options) as never,
  asked,
  chatStep,
  (number, prompt_tokens) => ({
    choices: [{ message: chatAnswer(number), finish_reason: 'tool_calls' }],
    model: 'scripted',
    usage: { prompt_tokens, completion_tokens: 30 },
  }),
)

const responses = conversing<ResponsesItem, object>(
  (options) => openResponses(options) as never,
  asked as ResponsesItem,
  responsesStep,
  (number, input_tokens) => ({
    output: responsesAnswer(number),
    model: 'scripted',
    status: 'completed',
    usage: { input_tokens, output_tokens: 30 },
  }),
)

/** A host that keeps all messages itself, and no checkpointer: one run for each step. */
const langchainWith =
  ({ keeps }: { keeps: boolean }): Door =>
  async (steps) => {
    const { options, compactions } = counted()
    const { window, onEvent, store } = options
    let number = 0
    let told = 0
    // A compaction may come between a read and what is said of it.
    const model = new ScriptedChatModel(() => {
      if (told === number) return calling('read', { path: path(++number) }, `call-${number}`)
      told = number
      return new AIMessage(`Part ${number} is read.`)
    })
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

/** Every door with a session that a host comes through with its whole history. */
export const sessionDoors: Readonly<Record<string, Door>> = {
  reconcile: reconciledAs((all) => all),
  // Through JSON, so that nothing is the object that it was.
  'reconcile, copies': reconciledAs((all) => JSON.parse(JSON.stringify(all)) as Message[]),
  'aiSdkCompaction, a call for each step': aiSdk,
  "aiSdkCompaction, the SDK's own loop": aiSdkLoop,
  openConversation: anthropic,
  openChat: chat,
  openResponses: responses,
  compactionMiddleware: langchainWith({ keeps: true }),
  'compactionMiddleware, without a store': langchainWith({ keeps: false }),
}
