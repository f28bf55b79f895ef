import OpenAI from 'openai'
import {
  Agent,
  OpenAIProvider,
  Runner,
  setTracingDisabled,
  tool as agentTool,
} from '@openai/agents'
import { Agent as MastraAgent } from '@mastra/core/agent'
import { agentsCompaction } from '../../integrations/openai-agents/index.ts'
import { fieldsOf, objectsOf } from '../../json/fields.ts'
import { fileOf } from './task.ts'
import { googleCompaction } from '../../integrations/google/index.ts'
import { GoogleGenAI, type Content } from '@google/genai'
import { llamaindexCompaction } from '../../integrations/llamaindex/index.ts'
import { mastraCompaction } from '../../integrations/mastra/index.ts'
import { modelOn } from './wires.ts'
import { openSession } from '../../session/session.ts'
import { readTool } from './trial.ts'
import type { AgentInputItem } from '@openai/agents'
import type { BaseLLM, ChatMessage, ToolCallOptions } from '@llamaindex/core/llms'
import type { Door } from './door.ts'
import type { ModelMessage } from 'ai'

const parameters = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const } },
  required: ['path'],
  additionalProperties: false as const,
}

export function outputOf(read: string[], input: unknown): string {
  const path = String(fieldsOf(input)?.['path'])
  read.push(path)
  return fileOf(path)
}

export const agentsSdk: Door = async ({ url, options, read }) => {
  setTracingDisabled(true)
  const compaction = agentsCompaction(options)
  const { callModelInputFilter } = compaction
  const openAIClient = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }) as never
  const models = new OpenAIProvider({ openAIClient, useResponses: true })
  const runner = new Runner({ modelProvider: compaction.modelProvider(models) })
  const execute = (input: unknown): string => outputOf(read, input)
  const tools = [
    agentTool({ name: 'read', description: '', parameters, strict: true, execute } as never),
  ]
  const agent = new Agent({ name: 'agent', model: 'main-model', tools })
  let all: AgentInputItem[] = []
  return {
    session: await compaction.log(),
    say: (content) => void all.push({ role: 'user', content }),
    async turn() {
      const run = await runner.run(agent, all, { callModelInputFilter, maxTurns: 40 })
      all = run.history
      const { incomplete_details } = fieldsOf(run.rawResponses.at(-1)?.providerData) ?? {}
      return incomplete_details ? 'length' : 'stop'
    },
  }
}

export const google: Door = async ({ url, options, read }) => {
  const ai = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } })
  const { models, session } = googleCompaction(ai, options)
  const tools = [{ functionDeclarations: [{ name: 'read', parametersJsonSchema: parameters }] }]
  const all: Content[] = []
  return {
    session: await session(),
    say: (text) => void all.push({ role: 'user', parts: [{ text }] }),
    async turn() {
      for (;;) {
        const config = { tools }
        const response = await models.generateContent({
          model: 'main-model',
          contents: all,
          config,
        })
        const [candidate] = response.candidates ?? []
        if (candidate?.content) all.push(candidate.content)
        const calls = response.functionCalls ?? []
        if (calls.length === 0) return candidate?.finishReason === 'MAX_TOKENS' ? 'length' : 'stop'
        const parts = calls.map(({ id, name, args }) => {
          const response = { output: outputOf(read, args) }
          return {
            functionResponse: { ...(id !== undefined && { id }), name: name ?? '', response },
          }
        })
        all.push({ role: 'user', parts })
      }
    },
  }
}

export const mastra: Door = async ({ url, options, read }) => {
  const { id, ...others } = options
  const compaction = mastraCompaction({ ...others, id: () => id })
  const agent = new MastraAgent({
    id: 'agent',
    name: 'agent',
    instructions: '',
    model: modelOn('chat', url, 'main-model') as never,
    tools: { read: readTool(read) } as never,
    inputProcessors: [compaction],
    errorProcessors: [compaction],
  })
  const all: ModelMessage[] = []
  return {
    // Another handle on the log that the processor keeps.
    session: await openSession(options),
    say: (content) => void all.push({ role: 'user', content }),
    async turn() {
      const given = await agent.generate(all as never, { maxSteps: 40 })
      if (given.error) throw given.error
      all.push(...(given.response.messages as unknown as ModelMessage[]))
      return given.finishReason === 'length' ? 'length' : 'stop'
    },
  }
}

export const llamaindex: Door = async ({ url, options, read }) => {
  const compaction = llamaindexCompaction(options)
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
  const llm = compaction.llm(askingModel(client))
  const tools = [{ metadata: { name: 'read', description: '', parameters } }]
  const all: ChatMessage[] = []
  return {
    session: await compaction.session(),
    say: (content) => void all.push({ role: 'user', content }),
    async turn() {
      for (;;) {
        const { message, raw } = await llm.chat({ messages: all, tools })
        all.push(message)
        const { toolCall = [] } = (message.options ?? {}) as Partial<ToolCallOptions>
        if (toolCall.length === 0) return finishOf(raw) === 'length' ? 'length' : 'stop'
        for (const { id, input } of toolCall) {
          const result = outputOf(read, JSON.parse(String(input)))
          const options = { toolResult: { id, result, isError: false } }
          all.push({ role: 'user', content: result, options })
        }
      }
    },
  }
}

function finishOf(raw: object | null): unknown {
  return objectsOf(fieldsOf(raw)?.['choices'])[0]?.['finish_reason']
}

/** A model of LlamaIndex that asks a provider of Chat Completions. */
function askingModel(client: OpenAI): BaseLLM {
  const chat = async ({ messages }: { messages: ChatMessage[] }) => {
    const raw = await client.chat.completions.create({
      model: 'main-model',
      messages: messages.map(paramOf),
    })
    const { content, tool_calls = [] } = raw.choices[0]?.message ?? {}
    const toolCall = tool_calls.flatMap((call) =>
      call.type === 'function'
        ? [{ id: call.id, name: call.function.name, input: call.function.arguments }]
        : [],
    )
    const options = toolCall.length > 0 ? { options: { toolCall } } : {}
    return { message: { role: 'assistant', content: content ?? '', ...options }, raw }
  }
  return { chat, complete: () => {}, metadata: {}, supportToolCall: true } as unknown as BaseLLM
}

function paramOf({ role, content, options = {} }: ChatMessage) {
  const { toolCall, toolResult } = fieldsOf(options) ?? {}
  const result = fieldsOf(toolResult)
  if (result) return { role: 'tool', tool_call_id: result['id'], content } as never
  const tool_calls = ((toolCall ?? []) as ToolCallOptions['toolCall']).map(
    ({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
    }),
  )
  return { role, content, ...(tool_calls.length > 0 && { tool_calls }) } as never
}
