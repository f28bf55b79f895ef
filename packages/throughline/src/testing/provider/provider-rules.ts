import type { Fields, Wire } from './wire.ts'
import type { ServedRequest } from './served-request.ts'

/** What a provider refuses of itself, before its script is asked. */
export interface ProviderRules {
  /** Tokens that its model takes: a longer request overflows. */
  window?: number
  /** Whether calls and results must be paired, and roles in order, as the strictest APIs want it. */
  strict?: boolean
  /**
   * Whether thinking is taken only behind the very system prompt and messages that it was an answer
   * to. Of Anthropic's API alone.
   */
  bindsThinking?: boolean
}

/** Why a request is refused, and what is wrong with it where it is illegal; nothing if it is not. */
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
