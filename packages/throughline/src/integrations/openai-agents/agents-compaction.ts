import { lazyConversation, type LazyConversation } from '../conversation/lazy-conversation.ts'
import { openaiAgentsWire } from '../../wires/openai-agents/wire.ts'
import { remembering, type RememberingWire } from '../../wires/remembering/remembering.ts'
import { fieldsOf, objectsOf } from '../../json/fields.ts'
import { usageFrom } from '../../wires/usage.ts'
import { waitsForSomeone } from '../../log/open-calls.ts'
import type { Answer } from '../conversation/conversation.ts'
import type { AgentItem } from '../../wires/openai-agents/contents.ts'
import type {
  AgentInputItem,
  CallModelInputFilter,
  Model,
  ModelProvider,
  OpenAIResponsesCompactionAwareSession,
  ModelRequest,
  ModelResponse,
  StreamEvent,
} from '@openai/agents'
import type { Session } from '../../session/session.ts'
import type { SessionOptions } from '../../session/options.ts'
import type { Usage } from '../../log/entry.ts'
import { keyPool, type KeyPool } from '../../match/key-pool.ts'

/** The Agents SDK, with what has been read and written in this process remembered. */
const rememberedAgents: RememberingWire<AgentItem> = remembering(openaiAgentsWire)

/** What a run of the Agents SDK needs so that its context fits. */
export interface AgentsCompaction {
  /**
   * The session of a run: it keeps the conversation in the store, and gives the next run what the
   * model sees of it.
   */
  session: OpenAIResponsesCompactionAwareSession
  /** Compacts before a request that wouldn't fit, also in the middle of a run. */
  callModelInputFilter: CallModelInputFilter
  /**
   * The same models, which compact and ask again where a request is refused as too long, and from
   * whose usage is learned. A request of another conversation passes through unchanged.
   */
  modelProvider: (provider: ModelProvider) => ModelProvider
  model: (model: Model) => Model
  /** Throughline's own session, with the whole log; it is opened when first needed. */
  log: () => Promise<Session>
}

/** The one conversation, and what is known of it beside its log. */
interface AgentConversation extends LazyConversation<AgentItem, AgentAnswer> {
  /** What the SDK has handed over last, and what has been answered and added since. */
  taken: AgentItem[]
  /** What of it the SDK has not yet saved in its session. */
  unsaved: AgentItem[]
  /** The input of the next request. */
  sent: AgentItem[]
}

/**
 * Compaction for the OpenAI Agents SDK: a run of any length fits its model's window, and the next
 * run goes on with what the model knows. It replaces `OpenAIResponsesCompactionSession` and works
 * with any model, also without OpenAI's own compaction. The whole conversation is stored in a
 * session. Use one for each conversation, and not for the agents that it calls as tools.
 * @throws what `openSession` throws, when the conversation is first needed.
 * @example
 * const compaction = agentsCompaction({ store, id: 'a', window: { context: 200_000 } })
 * const { session, callModelInputFilter } = compaction
 * const runner = new Runner({ modelProvider: compaction.modelProvider(new OpenAIProvider()) })
 * await runner.run(agent, prompt, { session, callModelInputFilter })
 */
export function agentsCompaction(options: SessionOptions): AgentsCompaction {
  const lazy = lazyConversation(
    { wire: rememberedAgents, answer: answerOf },
    options,
    ({ messages }) => {
      conversation.taken = messages()
    },
  )
  const conversation: AgentConversation = { ...lazy, taken: [], unsaved: [], sent: [] }

  const callModelInputFilter: CallModelInputFilter = async ({ modelData }) => {
    const { fit } = await conversation.open()
    const { input, instructions } = modelData
    conversation.tell({ system: instructions })
    const sent = await fit(input)
    conversation.unsaved.push(...itemsBeside(input, conversation.taken))
    conversation.taken = [...input]
    conversation.sent = sent
    return { ...modelData, input: sent as AgentInputItem[] }
  }
  // Else the SDK hands over copies, which would all have to be read again at every step.
  Object.assign(callModelInputFilter, { preserveInputIdentity: true })

  const model = (inner: Model): Model => wrappedModel(inner, conversation)
  return {
    session: agentSession(options.id, conversation),
    callModelInputFilter,
    model,
    modelProvider: (provider) => ({
      getModel: async (name) => model(await provider.getModel(name)),
    }),
    log: conversation.session,
  }
}

/** What a model of the Agents SDK answers, as far as Throughline reads it. */
interface AgentAnswer {
  output: readonly AgentItem[]
  usage?: object | undefined
}

function answerOf({ output, usage: given }: AgentAnswer): Answer<AgentItem> {
  const usage = usageOf(given)
  const calls = objectsOf(output).some(({ callId }) => callId !== undefined)
  return { natives: output, finish: calls ? 'tool-calls' : 'stop', ...(usage && { usage }) }
}

function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const details = usage?.['inputTokensDetails']
  const [detail = fieldsOf(details)] = objectsOf(details)
  return usageFrom({
    input: usage?.['inputTokens'],
    output: usage?.['outputTokens'],
    cacheRead: detail?.['cached_tokens'],
  })
}

/**
 * The session of a run. It gives what the model sees of the conversation; the rest is in the log.
 */
function agentSession(
  id: string,
  conversation: AgentConversation,
): OpenAIResponsesCompactionAwareSession {
  async function replace(items: AgentItem[]): Promise<void> {
    const { take } = await conversation.open()
    await take(items)
    conversation.taken = items
    conversation.unsaved = []
  }

  return {
    getSessionId: async () => id,
    async getItems(limit) {
      const { messages } = await conversation.open()
      const items = messages() as AgentInputItem[]
      conversation.taken = [...items]
      conversation.unsaved = []
      return limit === undefined ? items : items.slice(Math.max(0, items.length - limit))
    },
    async addItems(items) {
      const { messages } = await conversation.open()
      const saved = itemPool(conversation.unsaved)
      // The SDK may hand over a summary of ours in the place of what the summary replaced.
      const ours = itemPool(conversation.unsaved.length > 0 ? messages() : [])
      const fresh = items.filter((item) => !saved.take(item) && !ours.take(item))
      await replace([...conversation.taken, ...fresh])
    },
    async popItem() {
      await conversation.open()
      const last = conversation.taken.at(-1)
      if (last) await replace(conversation.taken.slice(0, -1))
      return last as AgentInputItem | undefined
    },
    clearSession: () => replace([]),
    async runCompaction(args) {
      const { session, messages } = await conversation.open()
      if (waitsForSomeone(session.context().items)) return null
      const report = await (args?.force === true ? session.compact() : session.fit())
      if (report.action === 'none') return null
      conversation.taken = messages()
      const { inputTokens = 0, outputTokens = 0 } = report.spent ?? {}
      const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
      return { usage: usage as never }
    },
  }
}

/** A model that asks again, with less, where its provider says that a request is too long. */
function wrappedModel(inner: Model, conversation: AgentConversation): Model {
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
    const given = handoffs.map((one) => ({ ...one, name: one.toolName }))
    conversation.tell({ tools: [...tools, ...given] })
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

const keys = new WeakMap<AgentItem, string>()

/** What an item says, without what a provider or the SDK may add to it or take from it. */
function keyOf(item: AgentItem): string {
  let key = keys.get(item)
  if (key === undefined) keys.set(item, (key = madeKey(item)))
  return key
}

function madeKey(item: AgentItem): string {
  const { type, role, callId, content, id } = fieldsOf(item) ?? {}
  if (typeof callId === 'string') return JSON.stringify([type, callId])
  if (role !== undefined) return JSON.stringify([role, textsIn(content)])
  return JSON.stringify([type, id ?? item])
}

function textsIn(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const parts = content.map((part) => fieldsOf(part)?.['text'] ?? part)
  return parts.length === 1 ? parts[0] : parts
}

/** A list of items, of which each can be taken once. */
function itemPool(items: readonly AgentItem[]): KeyPool<AgentItem> {
  const pool = keyPool(items.map(keyOf))
  return { take: (item) => pool.take(keyOf(item)) }
}

/** The items that are not among others, as often as they are there. */
function itemsBeside(items: readonly AgentItem[], others: readonly AgentItem[]): AgentItem[] {
  const pool = itemPool(others)
  return items.filter((item) => !pool.take(item))
}
