import { aiSdkWire } from '../../wires/ai-sdk/wire.ts'
import { calibrationDraft, stepRecord } from '../../session/loop/step-record.ts'
import { fieldsOf, nameOf, textOf, jsonOf } from '../../json/fields.ts'
import { finishOf, usageOf, type AiSdkMessage } from '../../wires/ai-sdk/read-parts.ts'
import { hostedMessages, type HostedMessages } from '../conversation/hosted-messages.ts'
import { messagesIn, nativesIn } from '../../wires/wire.ts'
import { openSession, type Session } from '../../session/session.ts'
import { refusalsOf, type Refusals } from '../../session/loop/refusals.ts'
import { remembering } from '../../wires/remembering/remembering.ts'
import { splitPrompt } from '../conversation/standing.ts'
import type { MessageFacts } from '../../session/reconcile/reconcile.ts'
import type {
  ProcessAPIErrorArgs,
  ProcessInputStepArgs,
  ProcessLLMRequestArgs,
  Processor,
} from '@mastra/core/processors'
import type { SessionOptions } from '../../session/options.ts'

const keys = new WeakMap<AiSdkMessage, string>()

/** What a message says, without what a provider or the framework adds to it. */
function keyOf(message: AiSdkMessage): string {
  let key = keys.get(message)
  if (key === undefined) keys.set(message, (key = madeKey(message)))
  return key
}

function madeKey(message: AiSdkMessage): string {
  const { role, content } = fieldsOf(message) ?? {}
  if (typeof content === 'string') return JSON.stringify([role, [content]])
  const parts = (Array.isArray(content) ? content : []).flatMap((part: unknown) => {
    const { type, text, toolCallId } = fieldsOf(part) ?? {}
    if (type === 'reasoning') return []
    return [type === 'text' ? text : (toolCallId ?? jsonOf(part))]
  })
  return JSON.stringify([role, parts])
}

/**
 * The whole conversation, where a memory gives only its newest messages: what is known before them
 * stays. A memory that gives no history at all gives what is new.
 */
export function wholeConversation<Message extends AiSdkMessage>(
  known: readonly Message[],
  given: readonly Message[],
): readonly Message[] {
  const [first] = given
  const [oldest] = known
  if (!first || !oldest || keyOf(first) === keyOf(oldest)) return given
  for (let start = known.length - 1; start > 0; start--) {
    if (continues(known, given, start)) return [...known.slice(0, start), ...given]
  }
  return [...known, ...given]
}

/** Whether what is given says again all that is known from here on. */
function continues(
  known: readonly AiSdkMessage[],
  given: readonly AiSdkMessage[],
  start: number,
): boolean {
  if (known.length - start > given.length) return false
  return known
    .slice(start)
    .every((message, index) => keyOf(message) === keyOf(given[index] as AiSdkMessage))
}

type Prompt = ProcessLLMRequestArgs['prompt']

/** A session's options; each thread of an agent's memory has a session of its own. */
export interface MastraCompactionOptions extends Omit<SessionOptions, 'id'> {
  /**
   * The name of a request's session: the id of its thread by default. Without a thread, each call of
   * the agent has a session of its own.
   */
  id?: (context: { get: (key: string) => unknown }) => string | undefined
}

/** A processor for an agent's `inputProcessors` and `errorProcessors`. */
export interface MastraCompaction extends Required<
  Pick<
    Processor<'throughline'>,
    'id' | 'processInputStep' | 'processLLMRequest' | 'processLLMResponse' | 'processAPIError'
  >
> {
  /** The session of a thread, with its whole log. */
  session: (id: string) => Promise<Session>
}

/** One conversation of an agent. */
interface Thread {
  session: Session
  hosted: HostedMessages<AiSdkMessage>
  refusals: Refusals
  /** Roughly as they are sent: they are measured. */
  tools: readonly { name: string }[]
}

const remembered = remembering<AiSdkMessage>(aiSdkWire)

// Nobody tells when a call of an agent has ended.
const mostOpen = 100

/**
 * Compaction for agents of Mastra: what the model gets always fits its window, in the middle of a
 * call too. An agent's memory keeps all of its messages; only what is sent is changed. As an error
 * processor it compacts and asks again where a provider says that a request is too long.
 * @throws what `openSession` throws, with a thread's first request.
 * @example
 * const compaction = mastraCompaction({ store, window: { context: 200_000 } })
 * const agent = new Agent({
 *   ...settings, inputProcessors: [compaction], errorProcessors: [compaction],
 * })
 */
export function mastraCompaction({
  id: named,
  ...options
}: MastraCompactionOptions): MastraCompaction {
  const threads = new Map<string, Promise<Thread>>()

  function idOf({
    requestContext,
    state,
  }: Pick<ProcessLLMRequestArgs, 'requestContext' | 'state'>) {
    const known = nameOf(state['throughline'])
    if (known !== undefined) return known
    const context = requestContext as { get: (key: string) => unknown } | undefined
    const thread = fieldsOf(fieldsOf(context?.get('MastraMemory'))?.['thread'])
    const own = context && named?.(context)
    const id = own ?? nameOf(thread?.['id']) ?? crypto.randomUUID()
    state['throughline'] = id
    return id
  }

  function threadOf(id: string): Promise<Thread> {
    let thread = threads.get(id)
    if (!thread) {
      const [oldest] = threads.keys()
      if (oldest !== undefined && threads.size >= mostOpen) threads.delete(oldest)
      threads.set(id, (thread = openThread(id)))
      // The store may answer the next time.
      thread.catch(() => threads.delete(id))
    }
    return thread
  }

  async function openThread(id: string): Promise<Thread> {
    const hosted = hostedMessages(remembered)
    let thread: Thread | undefined
    const session = await openSession({
      ...options,
      id,
      get tools() {
        return options.tools ?? thread?.tools ?? []
      },
      get system() {
        return hosted.system(options.system)
      },
    })
    return (thread = { session, hosted, refusals: refusalsOf(session), tools: [] })
  }

  return {
    id: 'throughline',
    // A request itself doesn't say which tools are sent with it.
    async processInputStep(args: ProcessInputStepArgs) {
      const thread = await threadOf(idOf(args))
      const names = Object.keys(args.tools ?? {})
      if (names.join() === thread.tools.map(({ name }) => name).join()) return
      thread.tools = Object.entries(args.tools ?? {}).map(([name, tool]) => toolSchema(name, tool))
    },
    async processLLMRequest({ prompt, steps, abortSignal, ...args }) {
      const thread = await threadOf(idOf(args))
      const { session, hosted } = thread
      await take(thread, prompt, steps.at(-1))
      await session.fit(abortSignal ? { signal: abortSignal } : {})
      thread.refusals = refusalsOf(session)
      return { prompt: nativesIn(hosted.rendered(session)).map(inParts) as Prompt }
    },
    // A call of the agent ends here; else the next request brings the answer with its results.
    async processLLMResponse(args) {
      const answer = wordsIn(args.chunks)
      if (!answer) return
      const { session, hosted } = await threadOf(idOf(args))
      const pairs = remembered.read([{ role: 'assistant', content: answer.text } as AiSdkMessage])
      hosted.add(pairs)
      const messages = messagesIn(pairs).filter((message) => message.role === 'assistant')
      await stepRecord(session).end({ messages, ...answer.facts })
    },
    async processAPIError({ error, abortSignal, ...args }: ProcessAPIErrorArgs) {
      const { refusals } = await threadOf(idOf(args))
      return { retry: await refusals.recover(error, abortSignal ? { signal: abortSignal } : {}) }
    },
    session: async (id) => (await threadOf(id)).session,
  }
}

/** Takes over what Mastra would send; the usage of a step stands with its answer. */
async function take({ session, hosted }: Thread, prompt: Prompt, last: unknown): Promise<void> {
  const natives = prompt as readonly AiSdkMessage[]
  const known = nativesIn(hosted.came())
  const own = known.length > 0 ? known : nativesIn(hosted.rendered(session))
  const { system, said } = parted(natives)
  const whole = [...system, ...wholeConversation(parted(own).said, said)]
  const newest = whole.findLastIndex((native) => fieldsOf(native)?.['role'] === 'assistant')
  const facts = factsOf(last)
  const taught = calibrationDraft(session, facts)
  const before = session.context().seq
  await hosted.take(session, whole, (message, index) =>
    index === newest && message.role === 'assistant' ? facts : undefined,
  )
  if (session.context().seq > before && taught.length > 0) await session.append(...taught)
}

function parted(natives: readonly AiSdkMessage[]) {
  const { prompt } = splitPrompt(messagesIn(remembered.read(natives)))
  return { system: natives.slice(0, prompt.length), said: natives.slice(prompt.length) }
}

function factsOf(step: unknown): MessageFacts {
  const { usage: given, finishReason } = fieldsOf(step) ?? {}
  const usage = usageOf(given as never)
  const finish = finishOf(finishReason as never)
  return { ...(usage && { usage }), ...(finish && { finish }) }
}

/** What a model has said, if it calls nothing. */
function wordsIn(chunks: readonly { type: string; payload: unknown }[]) {
  const texts = chunks.map(({ type, payload }) =>
    type === 'text-delta' ? (textOf(fieldsOf(payload)?.['text']) ?? '') : '',
  )
  const text = texts.join('')
  if (text === '' || chunks.some(({ type }) => type.startsWith('tool-'))) return undefined
  const end = fieldsOf(chunks.findLast(({ type }) => type === 'finish')?.payload)
  const usage = usageOf(fieldsOf(end?.['output'])?.['usage'])
  const finish = finishOf(fieldsOf(end?.['stepResult'])?.['reason']) ?? 'stop'
  return { text, facts: { finish, ...(usage && { usage }) } }
}

function toolSchema(name: string, tool: unknown) {
  const { description, parameters, inputSchema } = fieldsOf(tool) ?? {}
  const schema = fieldsOf(parameters ?? inputSchema)
  return { name, description, inputSchema: schema?.['jsonSchema'] ?? {} }
}

/** A provider's prompt has its texts in parts. */
function inParts(message: AiSdkMessage): AiSdkMessage {
  const { role, content } = fieldsOf(message) ?? {}
  if (typeof content !== 'string' || role === 'system') return message
  return { ...message, content: [{ type: 'text', text: content }] } as unknown as AiSdkMessage
}
