import type { Wire } from './wire.ts'
import type { ServedRequest } from './served-request.ts'

/** What a provider rejects by itself, before its script is asked. */
export interface ProviderRules {
  /** The window of its model in tokens: a longer request overflows. */
  window?: number
  /** Whether calls and results must be paired and roles ordered, as the strictest APIs require. */
  strict?: boolean
  /**
   * Whether thinking is taken only behind the very system prompt and messages that it was an answer
   * to. Of the Messages API; where Chat Completions has it, no reasoning is taken back, as by Groq.
   */
  bindsThinking?: boolean
  /**
   * Whether a call of the current loop is taken only with the thinking before it, as Anthropic's
   * API with thinking enabled and DeepSeek's want it. Of the Messages API and Chat Completions.
   */
  demandsThinking?: boolean
}

/**
 * Why a request is rejected, and what is wrong with it if it is invalid; nothing if it is accepted.
 */
export function refusalOf(
  request: Pick<ServedRequest, 'body' | 'tokens'>,
  wire: Wire,
  {
    window = Infinity,
    strict = false,
    bindsThinking = false,
    demandsThinking = false,
  }: ProviderRules,
): { refuses: 'overflow' | 'illegal'; problem: string } | undefined {
  const problems = [
    ...(strict ? wire.problems(request.body) : []),
    ...(bindsThinking ? (wire.unbound?.(request.body) ?? []) : []),
    ...(demandsThinking ? (wire.thoughtless?.(request.body) ?? []) : []),
  ]
  if (problems.length > 0) return { refuses: 'illegal', problem: problems.join('; ') }
  return request.tokens > window ? { refuses: 'overflow', problem: '' } : undefined
}
