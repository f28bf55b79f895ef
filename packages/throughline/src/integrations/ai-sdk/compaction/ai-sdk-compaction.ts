import { wrapLanguageModel, type ModelMessage } from 'ai'
import { checkAiSdk } from '../peer-version-error.ts'
import { modelMessagesReader, modelMessagesWriter, type SplitPrompt } from '../model-messages.ts'
import { instructionsText, summariesIn, withSummaries } from './instructions.ts'
import { lazySession, type SessionChoice } from './lazy-session.ts'
import { recoveringMiddleware } from './recovering-middleware.ts'
import { reconcile } from '../../../session/reconcile/reconcile.ts'
import { refusalsOf, type Refusals } from '../../../session/loop/refusals.ts'
import { calibrationDraft } from '../../../session/loop/step-record.ts'
import { finishOf, usageOf } from '../usage.ts'
import type {
  ProviderRequest,
  RecoveringMiddleware,
  ProviderModel,
  Recovery,
} from './recovering-middleware.ts'
import type { ReconcileOptions, MessageFacts } from '../../../session/reconcile/reconcile.ts'
import type { EndedStep, PreparedStep, StepToPrepare, FinishedStep } from './instructions.ts'
import type { Session } from '../../../session/session.ts'
import type { Message } from '../../../log/message.ts'

/** A model from a provider package. */
type ModelToWrap = Parameters<typeof wrapLanguageModel>[0]['model']

/**
 * The model of an agent, and the session that stores its conversation: an open one, or the options
 * for opening one. If no window is given, it is looked up in the table by the model's name.
 */
export type AiSdkCompactionOptions = SessionChoice & {
  model: ModelToWrap
  /**
   * Describes a new message: `{ origin: 'harness' }` for a reminder that no human wrote, which then
   * starts no turn and states no rule.
   */
  describe?: ReconcileOptions['describe']
}

/** What an SDK agent needs so that its context fits. */
export interface AiSdkCompaction {
  /** The model that recovers from overflows; use it in place of your own. */
  model: ReturnType<typeof wrapLanguageModel>
  /** Saves new messages, compacts if needed, and returns the messages to send. */
  prepareStep: (step: StepToPrepare) => Promise<PreparedStep>
  /**
   * Saves a step's messages when it ends. Without it, they are saved when the SDK passes them in
   * again.
   */
  onStepEnd: (step: EndedStep) => Promise<void>
  /** `prepareStep` followed by your own function, which receives the messages about to be sent. */
  prepareStepWith: <Step extends StepToPrepare, Prepared extends object | undefined>(
    prepare: (step: Step) => Prepared | PromiseLike<Prepared>,
  ) => (step: Step) => Promise<PreparedStep & Prepared>
  /** The middleware that wraps `model`, for a model that you wrap yourself. */
  middleware: RecoveringMiddleware
  /** The session; it is opened when first needed. */
  session: () => Promise<Session>
}

/**
 * Compaction for agents whose loop is the SDK's own: `streamText`, `generateText` and
 * `ToolLoopAgent` in AI SDK 6 and 7. The whole conversation is stored in the session, each message once,
 * whatever the agent is called with: its own full history, or the messages sent last.
 *
 * Use one compaction per conversation and session. You may use the model for other requests in the
 * meantime, such as generating a title; they pass through unchanged.
 *
 * AI SDK 6 calls `onStepEnd` `onStepFinish`, and tells nobody its system prompt before the first
 * request: pass it as `system`, too, if it is large.
 * @throws UnknownWindowError if no window is given and the table doesn't know the model;
 * PeerVersionError where the AI SDK is older than version 6.
 * @example
 * const { model, prepareStep, onStepEnd } = aiSdkCompaction({ store, id: 'a', model: openai('gpt-5') })
 * await generateText({ model, prepareStep, onStepEnd, tools, messages, stopWhen: isStepCount(50) })
 */
export function aiSdkCompaction(options: AiSdkCompactionOptions): AiSdkCompaction {
  checkAiSdk()
  const { model, describe } = options
  const { open, note } = lazySession(model, options)
  const read = modelMessagesReader()
  const write = modelMessagesWriter()
  let sent: SentStep | undefined

  async function prepare<Step extends StepToPrepare>(
    step: Step,
    own: (step: Step) => unknown,
  ): Promise<PreparedStep> {
    if (tellsInstructions(step)) note({ system: instructionsText(step.initialInstructions) })
    const session = await open()
    await writeDown(session, read(messagesOf(step)), step.steps.at(-1), describe)
    // The signal of the run's last request; the SDK passes none for the first step.
    const signal = step.steps.length > 0 ? sent?.signal : undefined
    await session.fit(signal ? { signal } : {})
    const again = async (): Promise<PreparedStep> => {
      const prepared = preparedStep(write(session.messages()), step)
      return { ...prepared, ...Object(await own({ ...step, ...prepared })) }
    }
    const prepared = await again()
    sent = { given: step, prepared, again, refusals: refusalsOf(session) }
    return prepared
  }

  const middleware = recoveringMiddleware({
    ...requestRecovery(() => sent),
    made: (request) => {
      note({ tools: request.tools })
      noteSignal(sent, request)
      if (sent && !tellsInstructions(sent.given)) note({ system: promptText(request) })
    },
  })
  return {
    model: wrapLanguageModel({ model, middleware }),
    prepareStep: (step) => prepare(step, () => undefined),
    prepareStepWith: (own) => async (step) => (await prepare(step, own)) as never,
    onStepEnd: async (step) => {
      const session = await open()
      if (!sent) return
      const { given, prepared } = sent
      const { messages: answers } = step.response
      const answer = tellsInstructions(given) ? answers : newIn(answers, given.messages)
      const messages = messagesOf({ ...prepared, steps: [] }).concat(answer)
      await writeDown(session, read(messages), step, describe)
    },
    middleware,
    session: open,
  }
}

/**
 * Saves the new messages: what the model said in the latest step, with its usage, and all others
 * according to their roles.
 */
async function writeDown(
  session: Session,
  messages: readonly Message[],
  last: FinishedStep | undefined,
  describe: ReconcileOptions['describe'],
): Promise<void> {
  const newest = messages.findLastIndex(({ role }) => role === 'assistant')
  const facts = last && factsOf(last)
  // The context that the answer was given to; it grows with the answer.
  const taught = facts ? calibrationDraft(session, facts) : []
  const { appended } = await reconcile(session, messages, {
    describe: (message, index) => ({
      ...(index === newest && facts),
      ...describe?.(message, index),
    }),
  })
  const answered = appended.some((entry) => entry.kind === 'message' && entry.origin === 'model')
  if (answered && taught.length > 0) await session.append(...taught)
}

function factsOf({ usage, finishReason, model, response }: FinishedStep): MessageFacts {
  const used = usageOf(usage)
  const id = model?.modelId ?? response?.modelId
  return {
    finish: finishOf(finishReason),
    ...(id !== undefined && { model: id }),
    ...(used && { usage: used }),
  }
}

/** The SDK's conversation, with the summaries among its instructions. */
function messagesOf({ instructions, messages }: StepToPrepare): ModelMessage[] {
  const summaries = summariesIn(instructions)
  return summaries.length === 0 ? messages : [...summaries, ...messages]
}

/** AI SDK 7 does; to AI SDK 6, a summary in the system prompt is one of the messages. */
function tellsInstructions(step: StepToPrepare): boolean {
  return 'initialInstructions' in step
}

function promptText({ prompt }: ProviderRequest): string | undefined {
  return instructionsText(prompt.filter((message) => message.role === 'system'))
}

/** What a step has answered: AI SDK 6 says it behind all answers before it. */
function newIn(
  answers: readonly ModelMessage[],
  given: readonly ModelMessage[],
): readonly ModelMessage[] {
  for (let before = Math.min(answers.length, given.length); before > 0; before--) {
    const isBefore =
      isSame(answers[before - 1], given.at(-1)) && isSame(answers[0], given.at(-before))
    if (isBefore) return answers.slice(before)
  }
  return answers
}

function isSame(message: ModelMessage | undefined, other: ModelMessage | undefined): boolean {
  return JSON.stringify(message) === JSON.stringify(other)
}

/** What a session would send now, for the SDK. The instructions are built again from the initial ones. */
function preparedStep({ system, messages }: SplitPrompt, step: StepToPrepare): PreparedStep {
  if (!tellsInstructions(step)) return { messages: [...system, ...messages] }
  const stale = summariesIn(step.instructions).length > 0
  return {
    messages,
    ...((stale || system.length > 0) && {
      instructions: withSummaries(step.initialInstructions, system),
    }),
  }
}

/** The request prepared last, and how to prepare it again. */
interface SentStep {
  /** What the SDK passed in. */
  given: StepToPrepare
  prepared: PreparedStep
  /** What was prepared first, and refused. */
  refused?: PreparedStep
  /** Prepares it again from the session's current content. */
  again: () => Promise<PreparedStep>
  /** What may still be tried where its provider refuses it. */
  refusals: Refusals
  /** The request's abort signal: the SDK passes it to models, but not to `prepareStep`. */
  signal?: AbortSignal
}

/** Records the abort signal of a request about to be made, if it is the session's. */
function noteSignal(sent: SentStep | undefined, { prompt, abortSignal }: ProviderRequest): void {
  if (sent && abortSignal && isMadeOf(prompt, sent.prepared.messages)) sent.signal = abortSignal
}

/** Recovers prepared requests, but no others that the model receives. */
function requestRecovery(newest: () => SentStep | undefined): Pick<Recovery, 'instead' | 'retry'> {
  return {
    async instead(request, model) {
      const sent = newest()
      if (!sent?.refused || !isMadeOf(request.prompt, sent.refused.messages)) return undefined
      return requestOf(sent.prepared, request, model)
    },
    async retry(error, request, model) {
      const sent = newest()
      if (!sent || !isMadeOf(request.prompt, sent.prepared.messages)) return undefined
      const { abortSignal: signal } = request
      if (!(await sent.refusals.recover(error, signal ? { signal } : {}))) return undefined
      sent.refused ??= sent.prepared
      sent.prepared = await sent.again()
      return requestOf(sent.prepared, request, model)
    },
  }
}

/** The same request with the messages prepared again. */
async function requestOf(
  { instructions, messages }: PreparedStep,
  request: ProviderRequest,
  model: ProviderModel,
): Promise<ProviderRequest> {
  const system = request.prompt.filter(
    (message) => message.role === 'system' && summariesIn(message).length === 0,
  )
  const prompt = await providerPrompt(messages, request, model)
  return { ...request, prompt: [...system, ...summariesIn(instructions), ...prompt] }
}

/** Messages as a provider receives them, converted by the SDK itself. */
async function providerPrompt(
  messages: ModelMessage[],
  request: ProviderRequest,
  model: ProviderModel,
): Promise<ProviderRequest['prompt']> {
  // Needed only if something has gone wrong.
  const { convertToLanguageModelPrompt } = await import('ai/internal')
  return convertToLanguageModelPrompt({
    prompt: { instructions: undefined, messages },
    supportedUrls: await model.supportedUrls,
    download: undefined,
    provider: model.provider.split('.')[0] ?? model.provider,
    ...(request.abortSignal && { abortSignal: request.abortSignal }),
  })
}

/**
 * Whether a provider's prompt was made from these messages, judged by its words and calls, because
 * media may have been fetched and small things omitted on the way. A model also gets other
 * requests, such as for a title or a summary.
 */
function isMadeOf(prompt: readonly Message[], messages: readonly Message[]): boolean {
  const said = saidIn(prompt)
  for (const one of saidIn(messages)) if (said.next().value !== one) return false
  return said.next().done === true
}

function* saidIn(messages: readonly Message[]): Generator<string, undefined> {
  for (const { role, content } of messages) {
    if (role === 'system') continue
    if (typeof content === 'string') {
      if (content !== '') yield content
      continue
    }
    for (const part of content) {
      if (part.type === 'text') {
        if (part.text !== '') yield part.text
      } else if (part.type === 'tool-call' || part.type === 'tool-result') yield part.toolCallId
    }
  }
}
