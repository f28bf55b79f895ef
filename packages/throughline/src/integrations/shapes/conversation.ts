import { hostedMessages } from './hosted-messages.ts'
import { openSession, type Session } from '../../session/session.ts'
import { PendingCallsError } from './errors.ts'
import { run } from '../../session/loop/loop.ts'
import { StepFailedError } from '../../session/loop/step-failed-error.ts'
import { messagesIn, nativesIn, type Pair } from './shape.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'
import type { RememberingShape } from './twins.ts'
import type { SessionOptions } from '../../session/options.ts'
import type { RunOptions, RunResult, StepResult } from '../../session/loop/loop.ts'

/** An answer of an API: what it says, as messages of that API, and what it cost. */
export interface Answer<Native> {
  natives: readonly Native[]
  finish: FinishReason
  usage?: Usage
  model?: string
}

/** What one API's conversations are made of. */
export interface ConversationOf<Native, Response> {
  shape: RememberingShape<Native>
  answer: (response: Response) => Answer<Native>
  /** The last touch to what is sent, knowing what came. */
  settle: (sent: readonly Pair<Native>[], came: readonly Native[]) => readonly Pair<Native>[]
}

/** The request that a caller makes with its own SDK. */
export type SendRequest<Native, Response> = (
  messages: Native[],
  options: { signal?: AbortSignal },
) => PromiseLike<Response>

/** What came of a request. */
export interface Exchange<Native, Response> {
  response: Response
  /** What was sent and what was answered: go on from here. */
  messages: Native[]
}

/** A conversation over an API, its whole log kept in a session. */
export interface Conversation<Native, Response> {
  readonly session: Session
  /** What the next request would send, without what the caller adds to it. */
  messages: () => Native[]
  /**
   * Sends the caller's messages: writes down what is new among them, compacts them if they would
   * not fit, and once more if the provider says so; writes down the answer with its usage.
   * Messages that were changed since the last time, in place too, are taken as they are now.
   * @throws ContextFloorError if not even the least context fits the window.
   * @throws OverflowError if the provider refuses the compacted context too.
   * @throws whatever else the request threw, as it was thrown.
   * @throws PendingCallsError if calls among the messages have no results.
   * @throws MessageConversionError if the messages hold what cannot be kept.
   */
  send: <Given extends Response>(
    messages: readonly Native[],
    request: SendRequest<Native, Given>,
    options?: { signal?: AbortSignal },
  ) => Promise<Exchange<Native, Given>>
}

/** Opens a conversation, new or not. */
export async function openConversationOf<Native extends object, Response>(
  { shape, answer, settle }: ConversationOf<Native, Response>,
  options: SessionOptions,
): Promise<Conversation<Native, Response>> {
  const hosted = hostedMessages(shape)
  const session = await openSession({
    ...options,
    // What stands first among the caller's messages is known when they come.
    get system() {
      return hosted.system(options.system)
    },
  })
  const next = (): Native[] => nativesIn(settle(hosted.rendered(session), nativesIn(hosted.came())))

  return {
    session,
    messages: next,
    async send(natives, request, { signal } = {}) {
      await hosted.take(session, natives)
      let response: { given: Awaited<ReturnType<typeof request>> } | undefined
      const { reason } = await runOnce({
        session,
        ...(signal && { signal }),
        step: async (_, { signal: inner }) => {
          const given = await request(next(), inner ? { signal: inner } : {})
          const { natives: said, ...facts } = answer(given)
          const added = shape.read(said)
          hosted.add(added)
          await keepStanding(session, added)
          response = { given }
          return { ...facts, messages: answerMessages(added) }
        },
      })
      if (reason === 'aborted') signal?.throwIfAborted()
      if (!response) throw new PendingCallsError({ session: session.id })
      return { response: response.given, messages: next() }
    },
  }
}

/** A step: what the request threw is the caller's own to know, as it was thrown. */
async function runOnce(options: RunOptions): Promise<RunResult> {
  try {
    return await run({ ...options, maxSteps: 1 })
  } catch (error) {
    throw StepFailedError.isInstance(error) ? error.cause : error
  }
}

/** A provider's own compaction comes with an answer, and is a message of its own. */
async function keepStanding<Native>(
  session: Session,
  pairs: readonly Pair<Native>[],
): Promise<void> {
  for (const message of messagesIn(pairs)) {
    if (message.role !== 'system') continue
    await session.append({ kind: 'message', at: session.now(), origin: 'harness', message })
  }
}

function answerMessages<Native>(pairs: readonly Pair<Native>[]): StepResult['messages'] {
  return messagesIn(pairs).filter(
    (message) => message.role === 'assistant' || message.role === 'tool',
  )
}
