import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages'
import { BaseChatModel, type BindToolsInput } from '@langchain/core/language_models/chat_models'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import OpenAI from 'openai'
import type { ChatResult } from '@langchain/core/outputs'

type Completions = typeof OpenAI.prototype.chat.completions
type Param = Parameters<Completions['create']>[0]['messages'][number]
type Tool = NonNullable<Parameters<Completions['create']>[0]['tools']>[number]

/**
 * A chat model of LangChain over Chat Completions, as far as the example needs one: with
 * `@langchain/openai` installed, take its `ChatOpenAI`.
 */
export class OpenAIChatModel extends BaseChatModel {
  readonly model: string
  readonly #client: OpenAI
  readonly #tools: Tool[]

  constructor(
    { baseURL, model }: { baseURL: string; model: string },
    tools: Tool[] = [],
    client: OpenAI = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 }),
  ) {
    super({ maxRetries: 0 })
    this.model = model
    this.#client = client
    this.#tools = tools
  }

  _llmType(): string {
    return 'openai-example'
  }

  override bindTools(tools: BindToolsInput[]): OpenAIChatModel {
    const schemas = tools.map((tool) => convertToOpenAITool(tool as never) as Tool)
    return new OpenAIChatModel({ baseURL: '', model: this.model }, schemas, this.#client)
  }

  async _generate(
    messages: BaseMessage[],
    { signal }: { signal?: AbortSignal },
  ): Promise<ChatResult> {
    const { choices, model, usage } = await this.#client.chat.completions.create(
      { model: this.model, messages: messages.map(paramOf), tools: this.#tools },
      signal ? { signal } : {},
    )
    const said = choices[0]?.message
    const message = new AIMessage({
      content: said?.content ?? '',
      tool_calls: (said?.tool_calls ?? []).flatMap((call) =>
        call.type === 'function'
          ? [{ id: call.id, name: call.function.name, args: JSON.parse(call.function.arguments) }]
          : [],
      ),
      response_metadata: { model_name: model, finish_reason: choices[0]?.finish_reason } as never,
      ...(usage && {
        usage_metadata: {
          input_tokens: usage.prompt_tokens,
          output_tokens: usage.completion_tokens,
          total_tokens: usage.total_tokens,
        } as never,
      }),
    })
    return { generations: [{ text: message.text, message }] }
  }
}

function paramOf(message: BaseMessage): Param {
  const content = message.text
  if (ToolMessage.isInstance(message)) {
    return { role: 'tool', tool_call_id: message.tool_call_id, content }
  }
  if (!AIMessage.isInstance(message)) {
    return { role: message.getType() === 'system' ? 'system' : 'user', content }
  }
  const calls = (message.tool_calls ?? []).map(({ id = '', name, args }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(args) },
  }))
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}
