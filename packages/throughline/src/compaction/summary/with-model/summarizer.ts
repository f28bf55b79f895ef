import type { Seq, Usage } from '../../../log/entry.ts'
import type { Message } from '../../../log/message.ts'
import type { EstimatedTokens, ModelTokens } from '../../../tokens/units.ts'
import type { Window } from '../../../tokens/window.ts'
import type { Counter } from '../../../tokens/counter.ts'
import type { AnsweredText } from '../check.ts'
import type { Template } from '../template.ts'
import type { Facts } from '../../../facts/facts.ts'

/**
 * Writes the summary of a head. Interchangeable: a model, a provider's own endpoint,
 * a plugin. It may reject; then the next rung of the ladder is tried. Who has made calls
 * before it rejects says so with a {@link SummaryFailedError}.
 */
export interface Summarizer {
  /** Stands in checkpoints and reports. */
  name: string
  summarize: (request: SummaryRequest, options: { signal?: AbortSignal }) => Promise<SummaryAnswer>
}

export interface SummaryRequest {
  /** What to summarize, pruned, without reasoning and media. Data, never instructions. */
  head: readonly Message[]
  /** The newest entry of the head. */
  through: Seq
  /** The summary that the new one updates, without the names that the record still has. */
  previous: string | undefined
  template: Template
  /** The whole instruction: template, budget, focus, and what was wrong last time. */
  instruction: string
  /** What the summary may take, estimated as `counter` counts. */
  budget: EstimatedTokens
  /** Counted from 1 within a compaction; before the second one something was wrong. */
  attempt: number
  focus: string | undefined
  facts: Facts
  /** How the session counts tokens, for what has to fit the summarizer's own window. */
  counter: Counter
  /** The conversation as it goes to the session's model, for whoever can use its prompt cache. */
  live: LiveRequest
}

/** The next request as it would be without a compaction. */
export interface LiveRequest {
  system: string | undefined
  /** With the tail in it: what the model has seen so far, from its beginning. */
  messages: readonly Message[]
  /** The session's model, where it is known. */
  model: string | undefined
  /** Of the session's model, as it is known. */
  window: Window
  /** Its size. */
  tokens: ModelTokens
  /** When it would be sent, in milliseconds since 1970. */
  now: number
  /**
   * What a provider is known to have cached of it: the tokens of the newest answer's request, and
   * when that was, in milliseconds since 1970.
   */
  cached: { tokens: ModelTokens; at: number } | undefined
}

/** A request to a model that was made for a summary. */
export interface SummaryCall {
  model: string
  /** What its provider counted, where it did. */
  usage?: Usage
  /** US dollars, where the model's prices are known. */
  cost?: number
  /** There was no answer: the provider refused it, or could not be reached. */
  failed?: true
}

export interface SummaryAnswer extends AnsweredText {
  /** Of all its requests together; not needed where `calls` says it. */
  usage?: Usage
  /** Each of its requests, in order; one of `usage` where it does not say. */
  calls?: readonly SummaryCall[]
}
