import type { Fields, Wire } from './wire.ts'
import type { ServedRequest } from './served-request.ts'

/** What a provider rejects by itself, before its script is asked. */
export interface ProviderRules {
  /** The window of its model in tokens: a longer request overflows. */
  window?: number
  /** Whether calls and results must be paired and roles ordered, as the strictest APIs require. */
  strict?: boolean
  /**
   * Whether thinking is accepted only after exactly the system prompt and messages that it
   * answered. Only Anthropic's API has this rule.
   */
  bindsThinking?: boolean
}

/**
 * Why a request is rejected, and what is wrong with it if it is invalid; nothing if it is accepted.
 */
export function refusalOf(
  request: Pick<ServedRequest, 'body' | 'tokens'>,
  wire: Wire,
  { window = Infinity, strict = false, bindsThinking = false }: ProviderRules,
): { refuses: 'overflow' | 'illegal'; problem: string } | undefined {
  const problems = [
    ...(strict ? wire.problems(request.body) : []),
    ...(bindsThinking ? boundProblems(wire, request.body) : []),
  ]
  if (problems.length > 0) return { refuses: 'illegal', problem: problems.join('; ') }
  return request.tokens > window ? { refuses: 'overflow', problem: '' } : undefined
}

function boundProblems({ unbound }: Wire, body: Fields): string[] {
  return unbound?.(body) ?? []
}
