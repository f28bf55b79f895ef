import OpenAI from 'openai'
import { BaseLLM } from '@llamaindex/core/llms'
import type {
  BaseTool,
  ChatMessage,
  ChatResponse,
  ChatResponseChunk,
  LLMChatParamsNonStreaming,
  LLMChatParamsStreaming,
  LLMMetadata,
  ToolCallOptions,
  ToolResultOptions,
} from '@llamaindex/core/llms'

type Param = OpenAI.Chat.Completions.ChatCompletionMessageParam

/** A model of LlamaIndex over Chat Completions, as `@llamaindex/openai` has one. */
export class ChatModel extends BaseLLM {
  readonly supportToolCall = true
  readonly #client: OpenAI
  readonly #model: string
  readonly #window: number

  constructor({ baseURL, model, window }: { baseURL: string; model: string; window: number }) {
    super()
    this.#client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 })
    this.#model = model
    this.#window = window
  }

  get metadata(): LLMMetadata {
    return {
      model: this.#model,
      temperature: 0,
      topP: 1,
      contextWindow: this.#window,
      tokenizer: undefined,
      structuredOutput: false,
    }
  }

  override chat(params: LLMChatParamsStreaming): Promise<AsyncIterable<ChatResponseChunk>>
  override chat(params: LLMChatParamsNonStreaming): Promise<ChatResponse>
  override async chat(
    params: LLMChatParamsStreaming | LLMChatParamsNonStreaming,
  ): Promise<AsyncIterable<ChatResponseChunk> | ChatResponse> {
    const tools = params.tools?.map((tool) => toolParam(tool as BaseTool))
    const raw = await this.#client.chat.completions.create({
      model: this.#model,
      messages: params.messages.map(messageParam),
      ...(tools && tools.length > 0 && { tools }),
    })
    const message = raw.choices[0]?.message
    const toolCall = (message?.tool_calls ?? []).flatMap((call) =>
      call.type === 'function'
        ? [{ id: call.id, name: call.function.name, input: call.function.arguments }]
        : [],
    )
    const options = toolCall.length > 0 ? { options: { toolCall } } : {}
    const content = message?.content ?? ''
    if (params.stream) return one({ delta: content, raw, ...options })
    return { message: { role: 'assistant', content, ...options }, raw }
  }
}

async function* one(chunk: ChatResponseChunk): AsyncGenerator<ChatResponseChunk> {
  yield chunk
}

function toolParam({ metadata }: BaseTool): OpenAI.Chat.Completions.ChatCompletionTool {
  const { name, description, parameters = {} } = metadata
  return { type: 'function', function: { name, description, parameters } }
}

function messageParam({ role, content, options = {} }: ChatMessage): Param {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  if ('toolResult' in options) {
    const { toolResult } = options as ToolResultOptions
    // LlamaIndex's agents write a text as JSON, without its quotes.
    const content = toolResult.result.replaceAll('\\n', '\n')
    return { role: 'tool', tool_call_id: toolResult.id, content }
  }
  if ('toolCall' in options) {
    const { toolCall } = options as ToolCallOptions
    return {
      role: 'assistant',
      content: text,
      tool_calls: toolCall.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
      })),
    }
  }
  if (role === 'assistant') return { role, content: text }
  return { role: role === 'user' ? 'user' : 'system', content: text }
}
