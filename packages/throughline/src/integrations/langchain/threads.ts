import { initChatModel } from 'langchain/chat_models/universal'
import { langchainSummarizer } from './summarizer.ts'
import { memoryStore } from '../../stores/memory.ts'
import { modelName, modelWindow } from './model-facts.ts'
import { openThread, type Thread } from './thread.ts'
import { UnknownWindowError } from '../ai-sdk/compaction/unknown-window-error.ts'
import type { BaseMessage } from '@langchain/core/messages'
import type { CompactionMiddlewareOptions } from './options.ts'
import type { Runtime } from 'langchain'
import type { Summarizer } from '../../compaction/summary/with-model/summarizer.ts'

/** The conversations that an agent currently has. */
export interface Threads {
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

export function threadsOf(options: CompactionMiddlewareOptions): Threads {
  const store = options.store ?? memoryStore()
  const open = new Map<string, Promise<Thread>>()
  /** Runs without a LangGraph thread are identified by the first message of their state. */
  const names = new Map<string, string>()
  const summarizer = lazySummarizer(options)
  /** Threads whose run has ended, oldest first. */
  const ended = new Set<string>()

  function nameOf(runtime: Runtime, messages: readonly BaseMessage[]): string {
    const thread = runtime.configurable ?? {}
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
          : langchainSummarizer(typeof model === 'string' ? await initChatModel(model) : model)
      return chosen && summaryPrompt !== undefined ? withPrompt(chosen, summaryPrompt) : chosen
    })())
}

/** A summarizer that also receives the agent author's wishes for a summary. */
function withPrompt(summarizer: Summarizer, prompt: string): Summarizer {
  return {
    name: summarizer.name,
    summarize: (request, options) => {
      const instruction = `${request.instruction}\n\nThe author of the agent adds the following about what the summary should contain:\n\n${prompt}`
      return summarizer.summarize({ ...request, instruction }, options)
    },
  }
}
