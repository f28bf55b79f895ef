import { isMadeOf } from './same-request.ts'
import { learnReasoning, mostLessons } from '../../../session/loop/learn-reasoning.ts'
import { overflowOf } from '../../../session/overflow/overflow.ts'
import { providerPrompt } from './provider-prompt.ts'
import { recoverOnce, refusedAgain } from '../../../session/loop/recover-once.ts'
import { summariesIn } from './instructions.ts'
import type { ModelTokens } from '../../../tokens/units.ts'
import type { PreparedStep } from './agent-step.ts'
import type { ProviderModel, ProviderRequest, Recovery } from './recovering-middleware.ts'
import type { Seq } from '../../../log/entry.ts'
import type { Session } from '../../../session/session.ts'

/** What was prepared last, and how to prepare it anew. */
export interface SentStep {
  session: Session
  prepared: PreparedStep
  /** What was prepared first, and refused. */
  refused?: PreparedStep
  /** From what the session holds by then. */
  again: () => Promise<PreparedStep>
  /** How often its provider has refused its reasoning, and whether it was too long. */
  lessons: number
  overflowed: boolean
  /** Of the request, as it was measured. */
  tokens: ModelTokens
  /** The newest entry that it was made of. */
  since: Seq
  /** What its request may be aborted with: the SDK tells it to models, and to no `prepareStep`. */
  signal?: AbortSignal
}

/** Notes what a request that is about to be made may be aborted with, if it is the session's. */
export function noteSignal(
  sent: SentStep | undefined,
  { prompt, abortSignal }: ProviderRequest,
): void {
  if (sent && abortSignal && isMadeOf(prompt, sent.prepared.messages)) sent.signal = abortSignal
}

/** Recovers the requests that were prepared, and none that the model was asked beside them. */
export function requestRecovery(
  newest: () => SentStep | undefined,
): Pick<Recovery, 'instead' | 'retry' | 'refusedAgain'> {
  return {
    async instead(request, model) {
      const sent = newest()
      if (!sent?.refused || !isMadeOf(request.prompt, sent.refused.messages)) return undefined
      return requestOf(sent.prepared, request, model)
    },
    async retry(error, request, model) {
      const sent = newest()
      if (!sent || !isMadeOf(request.prompt, sent.prepared.messages)) return undefined
      const { session, tokens, since } = sent
      const { abortSignal: signal } = request
      const signals = signal ? { signal } : {}
      const overflow = overflowOf(error)
      if (sent.lessons < mostLessons && (await learnReasoning(session, error, signals))) {
        sent.lessons += 1
      } else if (overflow && !sent.overflowed) {
        await recoverOnce(session, { ...overflow, error, tokens, since, ...signals })
        sent.overflowed = true
      } else return undefined
      sent.refused ??= sent.prepared
      sent.prepared = await sent.again()
      sent.tokens = session.measure().tokens
      return requestOf(sent.prepared, request, model)
    },
    refusedAgain(error) {
      const overflow = overflowOf(error)
      const sent = newest()
      if (!overflow || !sent) return error
      return refusedAgain(sent.session, { ...overflow, error, tokens: sent.tokens })
    },
  }
}

/** The same request, of what was prepared. */
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
