import type { ScriptedAnswer } from '../scripted/scripted-answer.ts'

/**
 * The ways in which a provider rejects a request. Each API has its own words and status for them:
 * `overloaded` is 529 at Anthropic and 503 elsewhere; `key` and `model` are a wrong key and a model
 * that the provider does not have.
 */
export type Refusal =
  | 'overflow'
  | 'rate-limit'
  | 'failure'
  | 'overloaded'
  | 'illegal'
  | 'key'
  | 'model'

/** A scripted provider's answer to one request, including HTTP faults. */
export interface ServedAnswer extends ScriptedAnswer {
  /** Rejected in the API's way, instead of an answer. */
  refuses?: Refusal
  /** Sent as it is, instead of an answer: a page, nothing at all, a status of its own. */
  sends?: { status: number; body: string; type?: string }
  /** The rejection comes inside a stream that has begun, after the text. */
  late?: true
  /** Milliseconds after which a rejected client may try again: the header `retry-after-ms`. */
  retryAfter?: number
}
