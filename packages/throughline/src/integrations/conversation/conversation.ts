import { ThroughlineError } from '../../log/throughline-error.ts'
import { hostedMessages, type DescribeHosted } from './hosted-messages.ts'
import { openSession, type Session } from '../../session/session.ts'
import { run, type RunOptions, type RunResult } from '../../session/loop/loop.ts'
import { StepFailedError } from '../../session/loop/step-failed-error.ts'
import { refusalsOf } from '../../session/loop/refusals.ts'
import { calibrationDraft, stepRecord, type StepResult } from '../../session/loop/step-record.ts'
import { costOf, pricesOf } from '../../tokens/prices.ts'
import { spendingOf } from '../../compaction/summary/with-model/circuit-breaker.ts'
import { waitsForSomeone } from '../../log/open-calls.ts'
import { messagesIn, nativesIn, type Pair } from '../../wires/wire.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'
import type { RememberingWire } from '../../wires/remembering/remembering.ts'
import type { SessionOptions } from '../../session/options.ts'

/** An answer of an API: its content as messages of that API, and its cost. */
export interface Answer<Native> {
  natives: readonly Native[]
  finish: FinishReason
  usage?: Usage
  model?: string
  /** What the provider's own compactions took while it answered, if `usage` is without it. */
  compactions?: readonly Usage[]
}

/** What one API's conversations are made of. */
export interface ConversationOf<Native, Response> {
  wire: RememberingWire<Native>
  answer: (response: Response) => Answer<Native>
  /** Final changes to the messages to send, given the messages that came in; none by default. */
  settle?: (sent: readonly Pair<Native>[], came: readonly Native[]) => readonly Pair<Native>[]
}

/** The request that a caller makes with its own SDK. */
type SendRequest<Native, Response> = (
  messages: Native[],
  options: { signal?: AbortSignal },
) => PromiseLike<Response>

/** The result of a request. */
interface Exchange<Native, Response> {
  response: Response
  /** What was sent and what was answered: continue from here. */
  messages: Native[]
}

/** What a host has heard of an answer. */
interface HeardAnswer {
  usage?: Usage
  model?: string
  /**
   * How many messages the request had that it answers. By default, the first of the new messages
   * that is an answer is meant.
   */
  after?: number
}

/** How a host hands over its messages. */
export interface FitOptions {
  signal?: AbortSignal
  /**
   * What is known of the answer to the last request, if it is among these messages without having
   * been noted: a host that only passes it on never holds all of it. A host that hands over several
   * requests at once names all of their answers, the oldest first.
   */
  answered?: HeardAnswer | readonly HeardAnswer[]
  /** `false` only takes the messages: nothing is compacted or prepared. */
  compacts?: false
}

/** A conversation over an API, with its whole log stored in a session. */
export interface Conversation<Native, Response> {
  readonly session: Session
  /** What the next request would send, without the caller's new messages. */
  messages: () => Native[]
  /**
   * Takes what a host has, its full history or what it got last time with new messages behind it,
   * and returns what to send: everything while it fits, else the compacted context, whose beginning
   * stays the same until the next compaction. Messages that were changed since the last time, even
   * in place, are taken as they are now.
   * @throws ContextFloorError if even the smallest possible context doesn't fit the window.
   * @throws PendingCallsError if calls among the messages have no results.
   * @throws MessageConversionError if the messages contain something that can't be stored.
   * @example
   * let sent = await conversation.fit(messages)
   * for (;;) {
   *   try {
   *     await conversation.note(await ask(sent))
   *     break
   *   } catch (error) {
   *     const again = await conversation.recover(error)
   *     if (!again) throw error
   *     sent = again
   *   }
   * }
   */
  fit: (messages: readonly Native[], options?: FitOptions) => Promise<Native[]>
  /**
   * Takes what a host has, as `fit` does, and only saves what is new: no request follows yet.
   * @throws MessageConversionError if the messages contain something that can't be stored.
   */
  take: (messages: readonly Native[]) => Promise<void>
  /**
   * Saves the answer to what `fit` or `recover` returned, with its usage. A host that hands over its
   * messages with the answer next time need not call it, but then nothing is learned from the usage.
   */
  note: (response: Response) => Promise<void>
  /**
   * For an error of the request: compacts if the provider says that the context is too long, leaves
   * reasoning out if it refuses that, and returns what to send instead. `undefined` if the error says
   * something else.
   * @throws OverflowError if the provider also refuses the compacted context.
   */
  recover: (error: unknown, options?: { signal?: AbortSignal }) => Promise<Native[] | undefined>
  /**
   * The same in one call: fits the caller's messages, makes the request, once more if the provider
   * says that they are too long, and saves the answer with its usage.
   * @throws any other error of the request, unchanged, and what `fit` and `recover` throw.
   */
  send: <Given extends Response>(
    messages: readonly Native[],
    request: SendRequest<Native, Given>,
    options?: { signal?: AbortSignal },
  ) => Promise<Exchange<Native, Given>>
}

export async function openConversationOf<Native extends object, Response>(
  { wire, answer, settle = (sent) => sent }: ConversationOf<Native, Response>,
  options: SessionOptions,
): Promise<Conversation<Native, Response>> {
  const hosted = hostedMessages(wire)
  const session = await openSession({
    ...options,
    // The leading messages are known when the caller's messages arrive.
    get system() {
      return hosted.system(options.system)
    },
    // A framework tells its tools with each request.
    get tools() {
      return options.tools ?? []
    },
  })
  const next = (): Native[] => nativesIn(settle(hosted.rendered(session), nativesIn(hosted.came())))
  let refusals = refusalsOf(session)

  /** What an answer adds to the log. */
  async function stepOf(response: Response): Promise<StepResult> {
    const { natives, compactions = [], ...facts } = answer(response)
    const added = wire.read(natives)
    hosted.add(added)
    await keepStanding(session, added)
    await noteCompactions(session, compactions, facts.model)
    return { ...facts, messages: answerMessages(added) }
  }

  return {
    session,
    messages: next,
    take: (natives) => hosted.take(session, natives),
    async fit(natives, { answered, compacts, ...signals } = {}) {
      const heard = answered === undefined ? [] : [answered].flat()
      // The log is still what was sent for the first of them.
      if (heard[0]) await session.append(...calibrationDraft(session, heard[0]))
      await hosted.take(session, natives, heard.length > 0 ? answersAmong(heard) : undefined)
      if (waitsForSomeone(session.context().items)) {
        throw new PendingCallsError({ session: session.id })
      }
      if (compacts !== false) await session.fit(signals)
      refusals = refusalsOf(session)
      return next()
    },
    async note(response) {
      await stepRecord(session).end(await stepOf(response))
    },
    async recover(error, signals = {}) {
      return (await refusals.recover(error, signals)) ? next() : undefined
    },
    async send(natives, request, { signal } = {}) {
      await hosted.take(session, natives)
      let response: { given: Awaited<ReturnType<typeof request>> } | undefined
      const { reason } = await runOnce({
        session,
        ...(signal && { signal }),
        step: async (_, { signal: inner }) => {
          const given = await request(next(), inner ? { signal: inner } : {})
          const step = await stepOf(given)
          response = { given }
          return step
        },
      })
      if (reason === 'aborted') signal?.throwIfAborted()
      if (!response) throw new PendingCallsError({ session: session.id })
      return { response: response.given, messages: next() }
    },
  }
}

/** Each answer is the first message of the model behind the request that it answers. */
function answersAmong(heard: readonly HeardAnswer[]): DescribeHosted {
  let next = 0
  return ({ role }, place) => {
    if (role !== 'assistant') return undefined
    // Of answers that have left nothing behind, nothing can be said.
    while ((heard[next + 1]?.after ?? Infinity) <= place) next += 1
    const answer = heard[next]
    if (!answer || (answer.after ?? 0) > place) return undefined
    next += 1
    const { usage, model } = answer
    return { ...(usage && { usage }), ...(model !== undefined && { model }) }
  }
}

/** A step: errors of the request are passed to the caller unchanged. */
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

/** Reports their usage in the same way as that of any other compaction. */
async function noteCompactions(
  session: Session,
  compactions: readonly Usage[],
  model = session.frame.model ?? '',
): Promise<void> {
  if (compactions.length === 0) return
  const prices = pricesOf(model)
  const calls = compactions.map((usage) => ({
    model,
    usage,
    ...(prices && { cost: costOf(usage, prices) }),
  }))
  const data = { spent: spendingOf(calls) }
  await session.append({
    kind: 'observation',
    at: session.now(),
    observation: { type: 'note', name: 'provider-compaction', data },
  })
}

function answerMessages<Native>(pairs: readonly Pair<Native>[]): StepResult['messages'] {
  return messagesIn(pairs).filter(
    (message) => message.role === 'assistant' || message.role === 'tool',
  )
}

/** The model can't be asked: calls that it has made have no results yet. */
export class PendingCallsError extends ThroughlineError<'PENDING_CALLS'> {
  static override readonly code = 'PENDING_CALLS'

  readonly session: string

  constructor({ session }: { session: string }) {
    super(
      PendingCallsError.code,
      `The newest answer in the session ${JSON.stringify(session)} has calls without results. Add the results after it and send again.`,
    )
    this.session = session
  }
}
