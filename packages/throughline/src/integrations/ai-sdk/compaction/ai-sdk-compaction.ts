import { wrapLanguageModel } from 'ai'
import { fromModelMessages } from '../from-model-messages.ts'
import { instructionsText } from './instructions.ts'
import { lazySession, type SessionChoice } from './lazy-session.ts'
import { messagesOf, preparedStep, writeDown } from './session-steps.ts'
import { recoveringMiddleware, type RecoveringMiddleware } from './recovering-middleware.ts'
import { noteSignal, requestRecovery, type SentStep } from './request-recovery.ts'
import type { ReconcileOptions } from '../../../session/reconcile/reconcile.ts'
import type { EndedStep, PreparedStep, StepToPrepare } from './agent-step.ts'
import type { Session } from '../../../session/session.ts'

/** A model of a provider's package. */
type ModelToWrap = Parameters<typeof wrapLanguageModel>[0]['model']

/**
 * The model of an agent, and the session that its conversation is kept in: one that is open, or
 * what one is opened with. The window is that of the table for the model's name if none is given.
 */
export type AiSdkCompactionOptions = SessionChoice & {
  model: ModelToWrap
  /**
   * What is known of a message that is new: `{ origin: 'harness' }` for a reminder that no human
   * said, which then starts no turn and states no rule.
   */
  describe?: ReconcileOptions['describe']
}

/** What an agent of the SDK is given so that its context fits. */
export interface AiSdkCompaction {
  /** The model, which recovers from overflows: in place of your own. */
  model: ReturnType<typeof wrapLanguageModel>
  /** Writes down what is new, compacts if need be, and gives what is to be sent. */
  prepareStep: (step: StepToPrepare) => Promise<PreparedStep>
  /** Writes down what a step said, at its end. Without it that is done when it comes back. */
  onStepEnd: (step: EndedStep) => Promise<void>
  /** `prepareStep`, and behind it your own: it is given the messages that are to be sent. */
  prepareStepWith: <Step extends StepToPrepare, Prepared extends object | undefined>(
    prepare: (step: Step) => Prepared | PromiseLike<Prepared>,
  ) => (step: Step) => Promise<PreparedStep & Prepared>
  /** What `model` is wrapped in, for a model that you wrap yourself. */
  middleware: RecoveringMiddleware
  /** The session; it is opened when it is first needed. */
  session: () => Promise<Session>
}

/**
 * Compaction for agents whose loop is the SDK's own: `streamText`, `generateText` and
 * `ToolLoopAgent`, of AI SDK 7. The whole conversation is kept in the session, each message once,
 * whatever the agent is called with: its own full history, or what it was sent last.
 *
 * One conversation is one compaction: make one for each session. The model may be asked for other
 * things meanwhile, such as a title; they pass as they are.
 * @throws UnknownWindowError if no window is given and the table knows none.
 * @example
 * const { model, prepareStep, onStepEnd } = aiSdkCompaction({ store, id: 'a', model: openai('gpt-5') })
 * await generateText({ model, prepareStep, onStepEnd, tools, messages, stopWhen: isStepCount(50) })
 */
export function aiSdkCompaction(options: AiSdkCompactionOptions): AiSdkCompaction {
  const { model, describe } = options
  const { open, note } = lazySession(model, options)
  let sent: SentStep | undefined

  async function prepare<Step extends StepToPrepare>(
    step: Step,
    own: (step: Step) => unknown,
  ): Promise<PreparedStep> {
    note({ system: instructionsText(step.initialInstructions) })
    const session = await open()
    await writeDown(session, messagesOf(step), step.steps.at(-1), describe)
    // That of the run's last request: what is told of the first step has none.
    const signal = step.steps.length > 0 ? sent?.signal : undefined
    await session.fit(signal ? { signal } : {})
    const again = async (): Promise<PreparedStep> => {
      const prepared = preparedStep(session, step)
      return { ...prepared, ...Object(await own({ ...step, ...prepared })) }
    }
    const prepared = await again()
    const { seq: since } = session.context()
    const { tokens } = session.measure()
    sent = { session, prepared, again, since, tokens, lessons: 0, overflowed: false }
    return prepared
  }

  const middleware = recoveringMiddleware({
    ...requestRecovery(() => sent),
    made: (request) => {
      note({ tools: request.tools })
      noteSignal(sent, request)
    },
  })
  return {
    model: wrapLanguageModel({ model, middleware }),
    prepareStep: (step) => prepare(step, () => undefined),
    prepareStepWith: (own) => async (step) => (await prepare(step, own)) as never,
    onStepEnd: async (step) => {
      const session = await open()
      const before = sent?.prepared
      if (!before) return
      const messages = [
        ...messagesOf({ ...before, steps: [] }),
        ...fromModelMessages(step.response.messages),
      ]
      await writeDown(session, messages, step, describe)
    },
    middleware,
    session: open,
  }
}
