import { AIMessage, RemoveMessage, type BaseMessage } from '@langchain/core/messages'
import { checkOptions, type CompactionMiddlewareOptions } from './options.ts'
import { createMiddleware, type AgentMiddleware, type Runtime } from 'langchain'
import { MiddlewareOrderError } from './errors.ts'
import { learnReasoning, mostLessons } from '../../session/loop/learn-reasoning.ts'
import { overflowOf } from '../../session/overflow/overflow.ts'
import { recoverOnce, refusedAgain } from '../../session/loop/recover-once.ts'
import { threadsOf } from './threads.ts'
import type { Thread } from './thread.ts'

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

  return createMiddleware({
    name: 'CompactionMiddleware',
    async wrapModelCall(request, handler) {
      const { model, messages, runtime, state, systemMessage, tools } = request
      if (!isEach(messages, state.messages)) throw new MiddlewareOrderError()
      const thread = await threads.of(runtime as Runtime, messages, model)
      const { session } = thread
      const signals = runtime.signal ? { signal: runtime.signal } : {}
      await thread.fit(messages, { system: systemMessage.text, tools }, runtime.signal)
      const ask = () => handler({ ...request, messages: thread.messages() })
      const { tokens } = session.measure()
      const { seq: since } = session.context()
      const answer = await retried(ask, {
        recover: (error, overflow) =>
          recoverOnce(session, { ...overflow, error, tokens, since, ...signals }),
        again: (error, overflow) => refusedAgain(session, { ...overflow, error, tokens }),
        learn: (error) => learnReasoning(session, error, signals),
      })
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
    await thread.take(messages)
    const now = thread.messages()
    if (isEach(now, messages)) return undefined
    const [first] = now
    if (first) first.id ??= crypto.randomUUID()
    threads.renamed(runtime, messages, now)
    return { messages: [new RemoveMessage({ id: allMessages }), ...now] }
  }
}

type Overflow = NonNullable<ReturnType<typeof overflowOf>>

/** Asks once more where the provider says that the context is too long, or refuses its reasoning. */
async function retried<Answer>(
  ask: () => PromiseLike<Answer> | Answer,
  how: {
    recover: (error: unknown, overflow: Overflow) => Promise<void>
    again: (error: unknown, overflow: Overflow) => unknown
    learn: (error: unknown) => Promise<boolean>
  },
): Promise<Answer> {
  let recovered = false
  let lessons = 0
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (lessons < mostLessons && (await how.learn(error))) {
        lessons += 1
        continue
      }
      const overflow = overflowOf(error)
      if (!overflow) throw error
      if (recovered) throw how.again(error, overflow)
      await how.recover(error, overflow)
      recovered = true
    }
  }
}

function isEach(messages: readonly BaseMessage[], others: readonly BaseMessage[]): boolean {
  return (
    messages.length === others.length &&
    messages.every((message, index) => message === others[index])
  )
}
