import type { ScriptedAnswer } from '../scripted-answer.ts'

/**
 * Ways in which a provider refuses. Each API has its own words and its own status for them:
 * `overloaded` is 529 at Anthropic and 503 elsewhere.
 */
export type Refusal = 'overflow' | 'rate-limit' | 'failure' | 'overloaded' | 'illegal'

/** What a scripted provider says to one request, faults of HTTP with it. */
export interface ServedAnswer extends ScriptedAnswer {
  /** Refused as the API does it, in place of an answer. */
  refuses?: Refusal
  /** The refusal comes inside of a stream that has begun, behind the text. */
  late?: true
  /** Milliseconds after which a refused client may try again: the header `retry-after-ms`. */
  retryAfter?: number
}
