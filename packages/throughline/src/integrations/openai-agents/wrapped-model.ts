import { itemsBeside } from './pending-items.ts'
import type { AgentConversation } from './agents-compaction.ts'
import type {
  AgentInputItem,
  Model,
  ModelRequest,
  ModelResponse,
  StreamEvent,
} from '@openai/agents'
import type { AgentItem } from '../../wires/openai-agents/item.ts'

/** A model that asks again, with less, where its provider says that a request is too long. */
export function wrappedModel(inner: Model, conversation: AgentConversation): Model {
  /** Whether a request is the one that was just fitted: an agent may call others as its tools. */
  function isOurs({ input }: ModelRequest): boolean {
    const { sent } = conversation
    return Array.isArray(input) && input.length === sent.length && isAmong(input, sent)
  }

  async function note({ output, usage }: Pick<ModelResponse, 'output' | 'usage'>): Promise<void> {
    const { note } = await conversation.open()
    await note({ output, usage })
    conversation.taken.push(...output)
    conversation.unsaved.push(...output)
  }

  async function again(error: unknown, { signal, ...request }: ModelRequest) {
    const { recover } = await conversation.open()
    const input = await recover(error, signal ? { signal } : {})
    if (!input) throw error
    conversation.sent = input
    return { ...request, ...(signal && { signal }), input: input as AgentInputItem[] }
  }

  function noteTools({ tools, handoffs }: ModelRequest): void {
    const told = [...tools, ...handoffs.map((one) => ({ ...one, name: one.toolName }))]
    const isSame =
      told.length === conversation.tools.length &&
      told.every(({ name }, at) => conversation.tools[at]?.name === name)
    // The same list is measured once.
    if (!isSame) conversation.tools = told
  }

  async function* streamed(first: ModelRequest): AsyncIterable<StreamEvent> {
    if (!isOurs(first)) return yield* inner.getStreamedResponse(first)
    noteTools(first)
    for (let request = first; ;) {
      let hasBegun = false
      try {
        for await (const event of inner.getStreamedResponse(request)) {
          hasBegun ||= event.type !== 'response_started' && event.type !== 'model'
          if (event.type === 'response_done') {
            const { output, usage } = event.response
            await note({ output, usage } as Pick<ModelResponse, 'output' | 'usage'>)
          }
          yield event
        }
        return
      } catch (error) {
        // What the host has seen of an answer can't be taken back.
        if (hasBegun) throw error
        request = await again(error, request)
      }
    }
  }

  return {
    ...(inner.supportsPromptModelSelection !== undefined && {
      supportsPromptModelSelection: inner.supportsPromptModelSelection,
    }),
    async getResponse(first) {
      if (!isOurs(first)) return inner.getResponse(first)
      noteTools(first)
      for (let request = first; ;) {
        try {
          const response = await inner.getResponse(request)
          await note(response)
          return response
        } catch (error) {
          request = await again(error, request)
        }
      }
    },
    getStreamedResponse: streamed,
    ...(inner.getRetryAdvice && {
      getRetryAdvice: (args) => inner.getRetryAdvice?.(args),
    }),
  }
}

function isAmong(input: readonly AgentItem[], sent: readonly AgentItem[]): boolean {
  return itemsBeside(input, sent).length === 0
}
