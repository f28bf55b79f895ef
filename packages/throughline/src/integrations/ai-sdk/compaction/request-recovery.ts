import { overflowOf } from '../../../session/overflow/overflow.ts'
import { recoverOnce, refusedAgain } from '../../../session/loop/recover-once.ts'
import { summariesIn } from './instructions.ts'
import type { ModelTokens } from '../../../tokens/units.ts'
import type { PreparedStep } from './agent-step.ts'
import type { ProviderModel, ProviderRequest, Recovery } from './recovering-middleware.ts'
import type { Seq } from '../../../log/entry.ts'
import type { Session } from '../../../session/session.ts'
import type { ModelMessage } from 'ai'
import { partsOf, type Message } from '../../../log/message.ts'

/** What was prepared last, and how to prepare it anew. */
export interface SentStep {
  session: Session
  prepared: PreparedStep
  /** What was prepared before, and refused as too long. */
  refused?: PreparedStep
  /** From what the session holds by then. */
  again: () => Promise<PreparedStep>
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
      const overflow = overflowOf(error)
      if (!overflow || !sent || !isMadeOf(request.prompt, sent.prepared.messages)) return undefined
      const { session, tokens, since } = sent
      const { abortSignal: signal } = request
      await recoverOnce(session, { ...overflow, error, tokens, since, ...(signal && { signal }) })
      sent.refused = sent.prepared
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

/** Messages as a provider is sent them, by the SDK's own conversion. */
async function providerPrompt(
  messages: ModelMessage[],
  request: ProviderRequest,
  model: ProviderModel,
): Promise<ProviderRequest['prompt']> {
  // Needed where something has gone wrong, and nowhere else.
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
 * Whether a provider's prompt was made of these messages: by its words and by its calls, since
 * media may have been fetched and small things left out on the way. A model is asked for other
 * things too, such as a title or a summary.
 */
function isMadeOf(prompt: readonly Message[], messages: readonly Message[]): boolean {
  return signature(prompt) === signature(messages)
}

function signature(messages: readonly Message[]): string {
  const said = messages
    .filter(({ role }) => role !== 'system')
    .flatMap(partsOf)
    .flatMap((part) => {
      if (part.type === 'text') return part.text === '' ? [] : [part.text]
      return part.type === 'tool-call' || part.type === 'tool-result' ? [part.toolCallId] : []
    })
  return JSON.stringify(said)
}
