import { createMemory, type Memory } from '@llamaindex/core/memory'
import { fieldsOf, listOf, textOf } from '../../json/fields.ts'
import { lazyConversation } from '../conversation/lazy-conversation.ts'
import { llamaindexWire } from '../../wires/llamaindex/wire.ts'
import { remembering, type RememberingWire } from '../../wires/remembering/remembering.ts'
import { finishOf as chatFinish, usageOf as chatUsage } from '../../wires/openai-chat/wire.ts'
import { usageOf as anthropicUsage } from '../../wires/anthropic/wire.ts'
import { usageOf as responsesUsage } from '../../wires/openai-responses/read.ts'
import type { Conversation, Answer } from '../conversation/conversation.ts'
import type { ChatMessage, ChatResponse, ChatResponseChunk, LLM } from '@llamaindex/core/llms'
import type { LlamaIndexMessage } from '../../wires/llamaindex/contents.ts'
import type { Session } from '../../session/session.ts'
import type { SessionOptions } from '../../session/options.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** LlamaIndex, with what has been read and written in this process remembered. */
const rememberedLlamaIndex: RememberingWire<LlamaIndexMessage> = remembering(llamaindexWire)

/** What an agent of LlamaIndex needs so that its context fits. */
export interface LlamaIndexCompaction {
  /** The agent's memory: it gives all messages, and drops none to fit a limit. */
  memory: Memory
  /** The agent's model, whose requests fit. */
  llm: <Model extends LLM>(llm: Model) => Model
  /** Throughline's session, with the whole log; it is opened when first needed. */
  session: () => Promise<Session>
}

/** What a model is asked with, as far as it matters here. */
interface Asked {
  messages: ChatMessage[]
  tools?: readonly unknown[]
  stream?: boolean
}

/**
 * Compaction for agents of LlamaIndex: an agent of any number of steps fits its model's window, and
 * its memory forgets nothing that a summary doesn't keep. Its own memory drops the oldest messages
 * instead, and with them the request. Use one for each conversation, and the model itself for
 * everything else.
 * @throws what `openSession` throws, when the conversation is first needed.
 * @example
 * const { memory, llm } = llamaindexCompaction({ store, id: 'a', window: { context: 200_000 } })
 * const coder = agent({ llm: llm(openai({ model: 'gpt-5' })), memory, tools })
 * const { data } = await coder.run('Why does the test fail?')
 */
export function llamaindexCompaction(options: SessionOptions): LlamaIndexCompaction {
  /** What the log had before this process said anything. */
  let earlier: ChatMessage[] = []
  const { open, tell, ask, session } = lazyConversation(
    { wire: rememberedLlamaIndex, answer: answerOf },
    options,
    ({ messages }) => {
      earlier = messages() as ChatMessage[]
    },
  )

  function answered<Given>(asked: Asked, request: (asked: Asked) => Promise<Given>) {
    tell({ tools: listOf(asked.tools).map(toolSchema) })
    return ask(asked.messages, (messages) =>
      request({ ...asked, messages: messages as ChatMessage[] }),
    )
  }

  function fitted<Model extends LLM>(llm: Model): Model {
    const chat = llm.chat.bind(llm) as (asked: unknown) => Promise<unknown>
    return Object.create(llm, {
      chat: {
        async value(asked: Asked) {
          const { given, conversation } = await answered(asked, chat)
          if (asked.stream === true) {
            return noted(given as AsyncIterable<ChatResponseChunk>, conversation)
          }
          await conversation.note(given as ChatResponse)
          return given
        },
      },
      complete: { value: llm.complete.bind(llm) },
    }) as Model
  }

  const plain = createMemory()
  const memory = Object.create(plain, {
    getLLM: {
      async value(_: unknown, transient: ChatMessage[] = []) {
        await open()
        return [...earlier, ...(await plain.get()), ...transient]
      },
    },
  }) as Memory
  return { memory, llm: fitted, session }
}

/** Passes the pieces of an answer on, and saves the answer when it is whole. */
async function* noted(
  pieces: AsyncIterable<ChatResponseChunk>,
  { note }: Conversation<LlamaIndexMessage, LlamaIndexAnswer>,
): AsyncGenerator<ChatResponseChunk> {
  let content = ''
  let raw: unknown
  const calls = new Map<unknown, unknown>()
  for await (const piece of pieces) {
    content += piece.delta
    // A provider counts in one of its last pieces.
    if (fieldsOf(piece.raw)?.['usage'] || raw === undefined) raw = piece.raw
    for (const call of listOf(fieldsOf(piece.options)?.['toolCall'])) {
      calls.set(fieldsOf(call)?.['id'], call)
    }
    yield piece
  }
  const options = calls.size > 0 && { options: { toolCall: [...calls.values()] } }
  await note({ message: { role: 'assistant', content, ...options }, raw })
}

/** A tool approximately as it is sent, for its size. */
function toolSchema(tool: unknown): unknown {
  const { metadata = tool } = fieldsOf(tool) ?? {}
  return metadata
}

/** What a model of LlamaIndex answers, and what its provider said. */
interface LlamaIndexAnswer {
  message: LlamaIndexMessage
  raw: unknown
}

function answerOf({ message, raw }: LlamaIndexAnswer): Answer<LlamaIndexMessage> {
  const calls = listOf(fieldsOf(message.options)?.['toolCall']).length > 0
  const usage = usageIn(raw)
  return {
    natives: [message],
    finish: finishIn(raw) ?? (calls ? 'tool-calls' : 'stop'),
    ...(usage && { usage }),
  }
}

/** LlamaIndex has no usage of its own, only what each provider says. */
function usageIn(raw: unknown): Usage | undefined {
  const usage = fieldsOf(raw)?.['usage']
  const fields = fieldsOf(usage)
  if (!fields) return undefined
  if (fields['prompt_tokens'] !== undefined) return chatUsage(usage)
  const isAnthropic = fields['cache_read_input_tokens'] !== undefined
  return isAnthropic ? anthropicUsage(usage) : responsesUsage(usage)
}

function finishIn(raw: unknown): FinishReason | undefined {
  const choice = fieldsOf(listOf(fieldsOf(raw)?.['choices'])[0])
  const reason = textOf(choice?.['finish_reason'])
  return reason === undefined ? undefined : chatFinish(reason)
}
