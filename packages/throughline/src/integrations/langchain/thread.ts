import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { defaultPolicy, type Policy } from '../../compaction/policy.ts'
import { fieldsOf } from '../../json/fields.ts'
import { hostedMessages } from '../conversation/hosted-messages.ts'
import { finishOf, modelOf, usageOf } from './model-facts.ts'
import { isEach } from '../../match/prefix.ts'
import { messagesIn, nativesIn, type Pair } from '../../wires/wire.ts'
import { openSession, type Session } from '../../session/session.ts'
import { stepRecord } from '../../session/loop/step-record.ts'
import { listOfSizes, type CompactionMiddlewareOptions } from './options.ts'
import { langchainWire } from '../../wires/langchain/wire.ts'
import { remembering, type RememberingWire } from '../../wires/remembering/remembering.ts'
import { sumEstimated, toModel } from '../../tokens/units.ts'
import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import type { Store } from '../../session/store.ts'
import type { Summarizer } from '../../compaction/summary/with-model/summarizer.ts'
import type { Window } from '../../tokens/window.ts'

/** How large a conversation is, by the count that triggers go by. */
interface Size {
  messages: number
  tokens: number
}

// What a compaction leaves may still be above a trigger: half as much has to come before the next.
const growth = 1.5

/** What a conversation holds by now. */
async function sizeOf(
  { tokenCounter }: CompactionMiddlewareOptions,
  session: Session,
  messages: BaseMessage[],
): Promise<Size> {
  const tokens = tokenCounter ? await tokenCounter(messages) : session.measure().tokens
  return { messages: messages.length, tokens }
}

/** Whether a conversation is to be compacted though it fits; `left` is what the last one left. */
function isTriggered(
  { trigger }: CompactionMiddlewareOptions,
  { now, left, window }: { now: Size; left: Size; window: number },
): boolean {
  return listOfSizes(trigger).some(({ fraction, tokens, messages }) => {
    const share = fraction === undefined ? undefined : fraction * window
    return (
      isReached(messages, now.messages, left.messages) &&
      isReached(tokens, now.tokens, left.tokens) &&
      isReached(share, now.tokens, left.tokens)
    )
  })
}

function isReached(size: number | undefined, now: number, left: number): boolean {
  return size === undefined || now >= Math.max(size, left * growth)
}

/** The policy for a `keep`; `newest` is what the newest messages hold when something is compacted. */
function keeping(
  policy: Policy,
  { keep }: CompactionMiddlewareOptions,
  { window, newest }: { window: number; newest: () => number },
): Policy {
  if (!keep) return policy
  const newestTail = (): number => {
    if ('tokens' in keep) return keep.tokens
    return 'fraction' in keep ? Math.floor(keep.fraction * window) : newest()
  }
  const tail = (_: number, all: number): number => Math.min(newestTail(), all)
  // The summary has what it always has.
  const summary = (usable: number): number => {
    const all = policy.keep(usable)
    return all - policy.tail(usable, all)
  }
  return {
    ...policy,
    tail,
    longestTail: tail,
    keep: (usable) => summary(usable) + newestTail(),
  }
}

/** What the newest messages hold, in tokens of the session's model. */
async function newestTokens(
  { keep, tokenCounter }: CompactionMiddlewareOptions,
  session: Session,
  rendered: () => readonly Pair<BaseMessage>[],
): Promise<number> {
  if (!keep || !('messages' in keep) || keep.messages === 0) return 0
  const newest = rendered().slice(-keep.messages)
  if (tokenCounter) return tokenCounter(nativesIn(newest))
  const { message, ratio } = session.counter
  return toModel(sumEstimated(newest.flatMap(({ messages }) => messages.map(message))), ratio)
}

/** What requests contain besides messages. */
interface RequestParts {
  system: string
  tools: readonly unknown[]
}

/** One conversation of an agent: its session, and the messages of its state. */
export interface Thread {
  session: Session
  /** Takes over the messages of the state, and compacts them if they would not fit. */
  fit: (
    messages: readonly BaseMessage[],
    parts: RequestParts,
    signal?: AbortSignal,
  ) => Promise<void>
  /** The messages of the next request, and of the state. */
  messages: () => BaseMessage[]
  /** Saves an answer before its tools run. */
  record: (answer: AIMessage) => Promise<void>
  /** Takes over the messages of the state, nothing else. */
  take: (messages: readonly BaseMessage[]) => Promise<void>
}

export interface ThreadOptions {
  options: CompactionMiddlewareOptions
  store: Store
  id: string
  window: Window
  model: string
  summarizer: Summarizer | undefined
}

export async function openThread({
  options,
  store,
  id,
  window,
  model,
  summarizer,
}: ThreadOptions): Promise<Thread> {
  const hosted = hostedMessages(rememberedLangchain)
  let parts: RequestParts = { system: '', tools: [] }
  let tools: unknown[] = []
  let newest = 0
  let left: Size = { messages: 0, tokens: 0 }
  const { policy = defaultPolicy, ...others } = options
  const session = await openSession({
    ...others,
    store,
    id,
    window,
    model,
    policy: keeping(policy, options, { window: window.context, newest: () => newest }),
    ...(summarizer && { summarizer }),
    // The agent passes them with each request.
    get system() {
      return hosted.system(parts.system === '' ? undefined : parts.system)
    },
    get tools() {
      return tools
    },
  })
  const rendered = (): readonly Pair<BaseMessage>[] => hosted.rendered(session)
  const size = (pairs: readonly Pair<BaseMessage>[]): Promise<Size> =>
    sizeOf(options, session, nativesIn(pairs))

  return {
    session,
    messages: () => nativesIn(rendered()),
    take: (messages) => hosted.take(session, messages, describe(messages)),
    async fit(messages, asked, signal) {
      parts = asked
      // The same tools are passed again with each request; they are counted once.
      const told = asked.tools.map(toolSchema)
      if (!isEach(told, tools)) tools = told
      await hosted.take(session, messages, describe(messages))
      const signals = signal ? { signal } : {}
      newest = await newestTokens(options, session, rendered)
      const isAsked =
        options.trigger !== undefined &&
        session.policy.auto &&
        isTriggered(options, { now: await size(rendered()), left, window: session.window.context })
      const report = isAsked ? await session.compact(signals) : await session.fit(signals)
      if (report.action !== 'none' && options.trigger) left = await size(rendered())
    },
    async record(answer) {
      const pairs = rememberedLangchain.read([answer])
      hosted.add(pairs)
      const messages = messagesIn(pairs).filter((message) => message.role === 'assistant')
      await stepRecord(session).end({ messages, ...factsOf(answer) })
    },
  }
}

function factsOf(answer: AIMessage) {
  const usage = usageOf(answer)
  const model = modelOf(answer)
  return {
    finish: finishOf(answer),
    ...(usage && { usage }),
    ...(model !== undefined && { model }),
  }
}

/** What is known about answers that are in the state but not in the log. */
function describe(messages: readonly BaseMessage[]) {
  return (_: unknown, index: number) => {
    const message = messages[index]
    return message?.getType() === 'ai' ? factsOf(message as AIMessage) : undefined
  }
}

const schemas = new WeakMap<object, unknown>()

/** A tool approximately as it is sent, for its size. */
function toolSchema(tool: unknown): unknown {
  const fields = fieldsOf(tool)
  if (!fields) return tool
  let schema = schemas.get(fields)
  if (schema === undefined) {
    schema = 'schema' in fields ? convertToOpenAITool(tool as never) : tool
    schemas.set(fields, schema)
  }
  return schema
}

/** Messages of LangChain, with what has been read and written in this process remembered. */
export const rememberedLangchain: RememberingWire<BaseMessage> = remembering(langchainWire)
