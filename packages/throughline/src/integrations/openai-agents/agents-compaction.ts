import { agentSession } from './agent-session.ts'
import { answerOf, type AgentAnswer } from './answer.ts'
import { itemsBeside } from './pending-items.ts'
import { openConversationOf, type Conversation } from '../conversation/conversation.ts'
import { rememberedAgents } from './remembered.ts'
import { wrappedModel } from './wrapped-model.ts'
import type { AgentItem } from '../../wires/openai-agents/item.ts'
import type {
  AgentInputItem,
  CallModelInputFilter,
  Model,
  ModelProvider,
  OpenAIResponsesCompactionAwareSession,
} from '@openai/agents'
import type { Session } from '../../session/session.ts'
import type { SessionOptions } from '../../session/options.ts'

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
  /** The same for one model. */
  model: (model: Model) => Model
  /** Throughline's own session, with the whole log; it is opened when first needed. */
  log: () => Promise<Session>
}

/** The one conversation, and what is known of it beside its log. */
export interface AgentConversation {
  open: () => Promise<Conversation<AgentItem, AgentAnswer>>
  /** What the SDK has handed over last, and what has been answered and added since. */
  taken: AgentItem[]
  /** What of it the SDK has not yet saved in its session. */
  unsaved: AgentItem[]
  /** The input of the next request, and what its tools are. */
  sent: AgentItem[]
  system: string | undefined
  tools: readonly { name: string }[]
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
  let opened: Promise<Conversation<AgentItem, AgentAnswer>> | undefined
  const conversation: AgentConversation = {
    taken: [],
    unsaved: [],
    sent: [],
    system: undefined,
    tools: [],
    open: () => (opened ??= opening().catch(forgotten)),
  }

  async function opening(): Promise<Conversation<AgentItem, AgentAnswer>> {
    const made = await openConversationOf(
      { wire: rememberedAgents, answer: answerOf, settle: (sent) => sent },
      {
        ...options,
        get system() {
          return options.system ?? conversation.system
        },
        get tools() {
          return options.tools ?? conversation.tools
        },
      } as SessionOptions,
    )
    conversation.taken = made.messages()
    return made
  }

  /** The store may answer the next time. */
  function forgotten(error: unknown): never {
    opened = undefined
    throw error
  }

  const callModelInputFilter: CallModelInputFilter = async ({ modelData }) => {
    const { fit } = await conversation.open()
    const { input, instructions } = modelData
    conversation.system = instructions
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
    log: async () => (await conversation.open()).session,
  }
}
