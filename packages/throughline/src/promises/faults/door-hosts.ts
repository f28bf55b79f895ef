import type { Door } from './door.ts'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { rememberedChat } from '../../integrations/openai/chat/open-chat.ts'
import { createAgent, tool } from 'langchain'
import { agentsSdk, google, llamaindex, mastra, outputOf } from './framework-hosts.ts'
import { generateText, isStepCount, type ModelMessage } from 'ai'
import { rememberedLangchain } from '../../integrations/langchain/thread.ts'
import { messagesIn, nativesIn } from '../../wires/wire.ts'
import { modelOn } from './wires.ts'
import { aiSdkCompaction } from '../../integrations/ai-sdk/index.ts'
import { compactionMiddleware } from '../../integrations/langchain/index.ts'
import { openChat, openResponses } from '../../integrations/openai/index.ts'
import { openConversation } from '../../integrations/anthropic/index.ts'
import { openSession } from '../../session/session.ts'
import { readTool } from './trial.ts'
import { z } from 'zod'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ChatResult } from '@langchain/core/outputs'
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { ProviderModel } from '../../testing/scripted/model-types.ts'
import type { ResponseInputItem } from 'openai/resources/responses/responses'

const schema = {
  type: 'object' as const,
  properties: { path: { type: 'string' } },
  required: ['path'],
}
const max = 1_000

const aiSdk: Door = async ({ url, options, read }) => {
  const session = await openSession(options)
  const inner = modelOn('anthropic', url, 'main-model') as ProviderModel
  const { model, prepareStep, onStepEnd } = aiSdkCompaction({ session, model: inner })
  const all: ModelMessage[] = []
  return {
    session,
    say: (content) => void all.push({ role: 'user', content }),
    async turn() {
      const given = await generateText({
        model,
        prepareStep,
        onStepEnd: async (step) => {
          await onStepEnd(step)
          all.push(...step.response.messages)
        },
        tools: { read: readTool(read) },
        messages: all,
        stopWhen: isStepCount(40),
        maxOutputTokens: max,
      })
      return given.finishReason === 'length' ? 'length' : 'stop'
    },
  }
}

const anthropic: Door = async ({ url, options, read }) => {
  const client = new Anthropic({ baseURL: url, apiKey: 'none' })
  const tools = [{ name: 'read', input_schema: schema }]
  const conversation = await openConversation<MessageParam>({ ...options, tools })
  let all: MessageParam[] = []
  return {
    session: conversation.session,
    say: (content) => void all.push({ role: 'user', content }),
    async turn() {
      for (;;) {
        const { response, messages } = await conversation.send(all, (messages, { signal }) =>
          client.messages.create(
            { model: 'main-model', max_tokens: max, tools, messages },
            { signal },
          ),
        )
        all = messages
        const content = response.content.flatMap((block) =>
          block.type === 'tool_use'
            ? [
                {
                  type: 'tool_result' as const,
                  tool_use_id: block.id,
                  content: outputOf(read, block.input),
                },
              ]
            : [],
        )
        if (content.length === 0) return response.stop_reason === 'max_tokens' ? 'length' : 'stop'
        all.push({ role: 'user', content })
      }
    },
  }
}

const chat: Door = async ({ url, options, read }) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
  const tools = [
    { type: 'function' as const, function: { name: 'read', parameters: { ...schema } } },
  ]
  const conversation = await openChat<ChatCompletionMessageParam>({ ...options, tools })
  let all: ChatCompletionMessageParam[] = []
  return {
    session: conversation.session,
    say: (content) => void all.push({ role: 'user', content }),
    async turn() {
      for (;;) {
        const { response, messages } = await conversation.send(all, (messages, { signal }) =>
          client.chat.completions.create({ model: 'main-model', tools, messages }, { signal }),
        )
        all = messages
        const [choice] = response.choices
        const calls = choice?.message.tool_calls ?? []
        if (calls.length === 0) return choice?.finish_reason === 'length' ? 'length' : 'stop'
        for (const call of calls) {
          const input = call.type === 'function' ? call.function.arguments : '{}'
          const content = outputOf(read, JSON.parse(input))
          all.push({ role: 'tool', tool_call_id: call.id, content })
        }
      }
    },
  }
}

const responses: Door = async ({ url, options, read }) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
  const parameters = { ...schema }
  const tools = [{ type: 'function' as const, name: 'read', parameters, strict: false }]
  const conversation = await openResponses<ResponseInputItem>({ ...options, tools })
  let all: ResponseInputItem[] = []
  return {
    session: conversation.session,
    say: (content) => void all.push({ role: 'user', content }),
    async turn() {
      for (;;) {
        const { response, messages } = await conversation.send(all, (input, { signal }) =>
          client.responses.create({ model: 'main-model', tools, input, store: false }, { signal }),
        )
        all = messages
        const calls = response.output.filter((item) => item.type === 'function_call')
        if (calls.length === 0) return response.status === 'incomplete' ? 'length' : 'stop'
        for (const { call_id, arguments: input } of calls) {
          const output = outputOf(read, JSON.parse(input))
          all.push({ type: 'function_call_output', call_id, output })
        }
      }
    },
  }
}

/** A chat model of LangChain that asks a provider of Chat Completions. */
class AskingChatModel extends BaseChatModel {
  readonly model = 'main-model'
  readonly #client: OpenAI

  constructor(url: string) {
    super({ maxRetries: 0 })
    this.#client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
  }

  _llmType(): string {
    return 'asking'
  }

  override bindTools(): this {
    return this
  }

  async _generate(given: BaseMessage[]): Promise<ChatResult> {
    const messages = nativesIn(rememberedChat.write(messagesIn(rememberedLangchain.read(given))))
    const { choices, usage } = await this.#client.chat.completions.create({
      model: this.model,
      messages: messages as ChatCompletionMessageParam[],
    })
    const [choice] = choices
    const text = choice?.message.content ?? ''
    const tool_calls = (choice?.message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function'
        ? [
            {
              type: 'tool_call' as const,
              id: call.id,
              name: call.function.name,
              args: JSON.parse(call.function.arguments) as Record<string, unknown>,
            },
          ]
        : [],
    )
    const fields = {
      content: text,
      tool_calls,
      response_metadata: { ...(choice && { finish_reason: choice.finish_reason }) },
      ...(usage && {
        usage_metadata: {
          input_tokens: usage.prompt_tokens,
          output_tokens: usage.completion_tokens,
          total_tokens: usage.total_tokens,
        },
      }),
    }
    const message = new AIMessage(fields as never)
    return { generations: [{ text, message }] }
  }
}

const langchain: Door = async ({ url, options, read }) => {
  const { store, policy, window, onEvent, now, summarizer } = options
  const agent = createAgent({
    model: new AskingChatModel(url),
    tools: [
      tool((input: { path: string }) => outputOf(read, input), {
        name: 'read',
        schema: z.object({ path: z.string() }),
      }),
    ],
    middleware: [
      compactionMiddleware({
        store,
        window,
        ...(policy && { policy }),
        ...(onEvent && { onEvent }),
        ...(now && { now }),
        ...(summarizer && { summarizer }),
      }),
    ],
  })
  let all: BaseMessage[] = []
  return {
    // Another handle on the log that the middleware keeps.
    session: await openSession({ ...options, id: 'agent' }),
    say: (text) => void all.push(new HumanMessage(text)),
    async turn() {
      const config = { configurable: { thread_id: 'agent' }, recursionLimit: 200 }
      const state = await agent.invoke({ messages: all }, config)
      all = state.messages
      const finish = all.at(-1)?.response_metadata?.['finish_reason']
      return finish === 'length' ? 'length' : 'stop'
    },
  }
}

/** The doors beside `run`, each with the SDK that people come through it with. */
export const doors = {
  aiSdkCompaction: aiSdk,
  openConversation: anthropic,
  openChat: chat,
  openResponses: responses,
  compactionMiddleware: langchain,
  agentsCompaction: agentsSdk,
  googleCompaction: google,
  mastraCompaction: mastra,
  llamaindexCompaction: llamaindex,
} as const satisfies Record<string, Door>

export type DoorName = keyof typeof doors

export const doorNames = Object.keys(doors) as DoorName[]
