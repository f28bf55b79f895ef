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
  reconcile: reconciled,
  'reconcile, copies': reconciledCopies,
  'aiSdkCompaction, a call for each step': aiSdk,
  "aiSdkCompaction, the SDK's own loop": aiSdkLoop,
  openConversation: anthropic,
  openChat: chat,
  openResponses: responses,
  compactionMiddleware: langchainWith({ keeps: true }),
  'compactionMiddleware, without a store': langchainWith({ keeps: false }),
}
