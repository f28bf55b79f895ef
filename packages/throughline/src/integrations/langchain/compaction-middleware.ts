import { AIMessage, RemoveMessage, type BaseMessage } from '@langchain/core/messages'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'
import { checkOptions, type CompactionMiddlewareOptions } from './options.ts'
import { MiddlewareOrderError } from './errors.ts'
import { refusalsOf, type Refusals } from '../../session/loop/refusals.ts'
import { openThread, type Thread } from './thread.ts'
import { langchainSummarizer } from './summarizer.ts'
import { isEach } from '../../match/prefix.ts'
import { memoryStore } from '../../stores/memory.ts'
import { modelName, modelWindow } from './model-facts.ts'
import { UnknownWindowError } from '../conversation/unknown-window.ts'
import type { AgentMiddleware, createMiddleware, Runtime } from 'langchain'
import type { BaseLanguageModel } from '@langchain/core/language_models/base'
import type { Summarizer } from '../../compaction/summary/with-model/summarizer.ts'

/** The conversations that an agent currently has. */
interface Threads {
  /** The conversation that a run belongs to; opened if it isn't open yet. */
  of: (runtime: Runtime, messages: readonly BaseMessage[], model: unknown) => Promise<Thread>
  /** The same, if it is open. */
  known: (runtime: Runtime, messages: readonly BaseMessage[]) => Promise<Thread> | undefined
  /** The state now begins with these messages. */
  renamed: (runtime: Runtime, before: readonly BaseMessage[], now: readonly BaseMessage[]) => void
  /**
   * A run is at its end. Without a store its log is kept for the next run, which may hand over its
   * full history, until many other runs have ended.
   */
  end: (runtime: Runtime, messages: readonly BaseMessage[]) => Promise<void>
}

// Nobody reports the end of runs that failed.
const mostOpen = 100

// As many are kept for a next run, where there is no store.
const mostEnded = 100

function threadsOf(options: CompactionMiddlewareOptions): Threads {
  const store = options.store ?? memoryStore()
  const open = new Map<string, Promise<Thread>>()
  /** Runs without a LangGraph thread are identified by the first message of their state. */
  const names = new Map<string, string>()
  const summarizer = lazySummarizer(options)
  /** Threads whose run has ended, oldest first. */
  const ended = new Set<string>()

  function nameOf(runtime: Runtime, messages: readonly BaseMessage[]): string {
    const thread = runtime.configurable ?? configurableHere()
    if (options.id) return options.id(thread)
    const first = messages[0]?.id ?? ''
    return thread.thread_id ?? names.get(first) ?? first
  }

  function forget(name: string): void {
    open.delete(name)
    for (const [first, other] of names) if (other === name) names.delete(first)
  }

  return {
    known: (runtime, messages) => open.get(nameOf(runtime, messages)),
    of(runtime, messages, model) {
      const id = nameOf(runtime, messages)
      const known = open.get(id)
      if (known) return known
      const window = options.window ?? modelWindow(model)
      if (!window) throw new UnknownWindowError({ model: modelName(model) })
      const [oldest] = open.keys()
      if (oldest !== undefined && open.size >= mostOpen) forget(oldest)
      const thread = summarizer().then((summarizer) =>
        openThread({ options, store, id, window, model: modelName(model), summarizer }),
      )
      open.set(id, thread)
      thread.catch(() => forget(id))
      return thread
    },
    renamed(runtime, before, [first]) {
      if (first?.id !== undefined) names.set(first.id, nameOf(runtime, before))
    },
    async end(runtime, messages) {
      const name = nameOf(runtime, messages)
      const thread = open.get(name)
      forget(name)
      // Nobody is left to use a summary that is being prepared.
      await (await thread)?.session.close()
      if (options.store) return
      ended.delete(name)
      ended.add(name)
      const [oldest] = ended
      if (oldest === undefined || ended.size <= mostEnded) return
      ended.delete(oldest)
      if (!open.has(oldest)) await store.remove(oldest)
    },
  }
}

/** LangChain 1.1 tells middleware no thread, but LangGraph keeps it for whatever runs in its nodes. */
function configurableHere(): NonNullable<Runtime['configurable']> {
  const config: { configurable?: Runtime['configurable'] } | undefined =
    AsyncLocalStorageProviderSingleton.getRunnableConfig()
  return config?.configurable ?? {}
}

/** LangChain is loaded only for its names of models: the other functions here work without it. */
async function chatModel(name: string): Promise<BaseLanguageModel> {
  const { initChatModel } = await import('langchain/chat_models/universal')
  return initChatModel(name)
}

/** A model given by name is looked up when it is needed. */
function lazySummarizer(
  options: CompactionMiddlewareOptions,
): () => Promise<Summarizer | undefined> {
  const { model, summarizer, summaryPrompt } = options
  let made: Promise<Summarizer | undefined> | undefined
  return () =>
    (made ??= (async () => {
      const chosen =
        model === undefined || summarizer
          ? summarizer
          : langchainSummarizer(typeof model === 'string' ? await chatModel(model) : model)
      return chosen && summaryPrompt !== undefined ? withPrompt(chosen, summaryPrompt) : chosen
    })())
}

/** A summarizer that also receives the agent author's wishes for a summary. */
function withPrompt(summarizer: Summarizer, prompt: string): Summarizer {
  return {
    ...summarizer,
    name: summarizer.name,
    summarize: (request, options) => {
      const instruction = `${request.instruction}\n\nThe author of the agent adds the following about what the summary should contain:\n\n${prompt}`
      return summarizer.summarize({ ...request, instruction }, options)
    },
  }
}

type MiddlewareParts = Parameters<typeof createMiddleware>[0]

/** What `createMiddleware` of LangChain 1 does. Older versions have no such function to import. */
function middleware(parts: MiddlewareParts): AgentMiddleware {
  return { [Symbol.for('AgentMiddleware')]: true, ...parts } as unknown as AgentMiddleware
}

// The value by which LangGraph's message reducer removes all messages.
const allMessages = '__remove_all__'

/**
 * A middleware for LangChain's `createAgent` that replaces `summarizationMiddleware`: the agent
 * always fits its window. The whole log is stored in a session. The agent's state, and therefore
 * what a checkpointer saves, is what the model sees. After an overflow error from the provider, it
 * compacts once and asks again. Put it first in the list.
 *
 * `model`, `trigger`, `keep` and `tokenCounter` mean the same as there; `summaryPrompt` adds to our
 * own instruction.
 * @throws MiddlewareOptionError for an option that has no meaning here.
 * @example
 * const agent = createAgent({
 *   model, tools, checkpointer,
 *   middleware: [compactionMiddleware({ model: small, window: { context: 200_000 }, store })],
 * })
 */
export function compactionMiddleware(options: CompactionMiddlewareOptions = {}): AgentMiddleware {
  checkOptions(options)
  const threads = threadsOf(options)

  return middleware({
    name: 'CompactionMiddleware',
    async wrapModelCall(request, handler) {
      const { model, messages, runtime, state, systemMessage, tools } = request
      if (!isEach(messages, state.messages)) throw new MiddlewareOrderError()
      const thread = await threads.of(runtime as Runtime, messages, model)
      const { session } = thread
      await thread.fit(messages, { system: systemMessage.text, tools }, runtime.signal)
      const ask = () => handler({ ...request, messages: thread.messages() })
      const signals = runtime.signal ? { signal: runtime.signal } : {}
      const answer = await retried(ask, refusalsOf(session), signals)
      if (AIMessage.isInstance(answer)) await thread.record(answer)
      return answer
    },
    async afterModel({ messages }, runtime) {
      const thread = await threads.known(runtime as Runtime, messages)
      return thread && update(thread, messages, runtime as Runtime)
    },
    async afterAgent({ messages }, runtime) {
      await threads.end(runtime as Runtime, messages)
    },
  })

  /** The state as the model sees it, if it differs. */
  async function update(thread: Thread, messages: BaseMessage[], runtime: Runtime) {
    // Usually it is what the model was sent, with its answer: nothing new.
    if (isEach(thread.messages(), messages)) return undefined
    await thread.take(messages)
    const now = thread.messages()
    if (isEach(now, messages)) return undefined
    const [first] = now
    if (first) first.id ??= crypto.randomUUID()
    threads.renamed(runtime, messages, now)
    return { messages: [new RemoveMessage({ id: allMessages }), ...now] }
  }
}

/** Asks again where the provider says that the context is too long, or refuses its reasoning. */
async function retried<Answer>(
  ask: () => PromiseLike<Answer> | Answer,
  { recover }: Refusals,
  signals: { signal?: AbortSignal },
): Promise<Answer> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(await recover(error, signals))) throw error
    }
  }
}
