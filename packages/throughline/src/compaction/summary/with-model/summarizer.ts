import type { Seq, Usage } from '../../../log/entry.ts'
import type { Message } from '../../../log/message.ts'
import type { EstimatedTokens, ModelTokens } from '../../../tokens/units.ts'
import type { Prices } from '../../../tokens/price-table.ts'
import type { Window } from '../../../tokens/window.ts'
import type { Counter } from '../../../tokens/counter.ts'
import type { AnsweredText } from '../check.ts'
import type { Template } from '../template.ts'
import type { Facts } from '../../../facts/facts.ts'

// Words with the same beginning are forms of one word.
const stem = 7

/** The words of a line that carry its meaning: names, numbers, and words of four letters or more. */
export function termsOf(line: string): Set<string> {
  const terms = new Set<string>()
  for (const [word] of line.toLowerCase().matchAll(/[\p{L}\p{N}_]{1,64}/gu)) {
    if (word.length >= 4 || /[\p{N}]|[^\p{ASCII}]/u.test(word)) terms.add(word.slice(0, stem))
  }
  return terms
}

/** The share of the terms that the others hold too, 0 to 1. */
export function sharedTerms(terms: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let held = 0
  for (const term of terms) if (others.has(term)) held += 1
  return terms.size === 0 ? 1 : held / terms.size
}

/**
 * Writes the summary of a head. Interchangeable: a model, a provider's own endpoint, a plugin. If
 * it rejects, Throughline goes on without it, in the end with a summary by code. If it made calls
 * before it rejects, it reports them with a {@link SummaryFailedError}.
 */
export interface Summarizer {
  /** Shown in checkpoints and reports. */
  name: string
  /**
   * What its model costs, if that is known: by that it is weighed when a compaction pays, and whether
   * a prune does without a summary.
   */
  prices?: Prices
  /**
   * Whether no summary is made in the background: its model is asked at each compaction anyway, so
   * that one made ahead would be paid for twice, or the process may end before the compaction is due.
   */
  isAskedAnyway?: boolean
  /** Whether it can ask at the end of the live conversation, which is read from the provider's cache. */
  readsLive?: boolean
  summarize: (request: SummaryRequest, options: { signal?: AbortSignal }) => Promise<SummaryAnswer>
}

/** The properties of a summarizer on which its price depends. */
export type PricedSummarizer = Pick<Summarizer, 'prices' | 'readsLive'>

/** What a summarizer is asked for. */
export interface SummaryRequest {
  /** The text to summarize: pruned, without reasoning and media. Data, never instructions. */
  head: readonly Message[]
  /** The newest entry of the head. */
  through: Seq
  /** The summary that the new one updates, without the names that the log still has. */
  previous: string | undefined
  template: Template
  /** The whole instruction: template, budget, focus, and what was wrong last time. */
  instruction: string
  /** The most tokens that the summary may have, as `counter` counts them. */
  budget: EstimatedTokens
  /**
   * Counted from 1 within a compaction; from the second attempt on, `instruction` says what was
   * wrong.
   */
  attempt: number
  focus: string | undefined
  facts: Facts
  /** How the session counts tokens, to fit the input into the summarizer's own window. */
  counter: Counter
  /**
   * The conversation as it goes to the session's model, for summarizers that can use its prompt
   * cache.
   */
  live: LiveRequest
}

/** The next request as it would be without a compaction. */
export interface LiveRequest {
  system: string | undefined
  /** Including the tail: what the model has seen so far, from the beginning. */
  messages: readonly Message[]
  /** The session's model, if known. */
  model: string | undefined
  /** The window of the session's model, if it is known. */
  window: Window
  /** Its size. */
  tokens: ModelTokens
  /** When it would be sent, in milliseconds since 1970. */
  now: number
  /**
   * What its provider is known to have cached: the tokens of the newest answer's request, and its
   * time in milliseconds since 1970.
   */
  cached: { tokens: ModelTokens; at: number } | undefined
}

export interface SummaryCall {
  model: string
  /** The usage that its provider reported, if any. */
  usage?: Usage
  /** US dollars, if the model's prices are known. */
  cost?: number
  /** There was no answer: the provider refused the request or couldn't be reached. */
  failed?: true
}

/** A summarizer's answer, with what it cost. */
export interface SummaryAnswer extends AnsweredText {
  /** The usage of all its requests together; not needed if `calls` says it. */
  usage?: Usage
  /** Each of its requests, in order; if missing, one request with `usage`. */
  calls?: readonly SummaryCall[]
}
