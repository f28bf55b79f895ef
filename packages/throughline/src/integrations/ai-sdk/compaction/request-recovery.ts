import { summariesIn } from './instructions.ts'
import type { Refusals } from '../../../session/loop/refusals.ts'
import type { PreparedStep, StepToPrepare } from './agent-step.ts'
import type { ProviderModel, ProviderRequest, Recovery } from './recovering-middleware.ts'
import type { ModelMessage } from 'ai'
import { partsOf, type Message } from '../../../log/message.ts'

/** The request prepared last, and how to prepare it again. */
export interface SentStep {
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
export function noteSignal(
  sent: SentStep | undefined,
  { prompt, abortSignal }: ProviderRequest,
): void {
  if (sent && abortSignal && isMadeOf(prompt, sent.prepared.messages)) sent.signal = abortSignal
}

/** Recovers prepared requests, but no others that the model receives. */
export function requestRecovery(
  newest: () => SentStep | undefined,
): Pick<Recovery, 'instead' | 'retry'> {
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
