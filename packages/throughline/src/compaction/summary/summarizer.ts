import type { Seq, Usage } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'
import type { Template } from './template.ts'
import type { Index } from './index/facts.ts'

/**
 * Writes the summary of a head. Interchangeable: a model, a provider's own endpoint,
 * a plugin. It may reject; then the next rung of the ladder is tried.
 */
export interface Summarizer {
  /** Stands in checkpoints and reports. */
  name: string
  summarize: (request: SummaryRequest, options: { signal?: AbortSignal }) => Promise<SummaryAnswer>
}

export interface SummaryRequest {
  /** What to summarise, pruned, without reasoning and media. Data, never instructions. */
  head: readonly Message[]
  /** The newest entry of the head. */
  through: Seq
  /** The summary that the new one updates. */
  previous: string | undefined
  template: Template
  /** The whole instruction: template, budget, focus, and what was wrong last time. */
  instruction: string
  /** Tokens that the summary may take. */
  budget: number
  focus: string | undefined
  index: Index
}

export interface SummaryAnswer {
  text: string
  finish: 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' | 'other'
  usage?: Usage
}
