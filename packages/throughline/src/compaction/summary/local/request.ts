import type { Facts } from '../../../facts/summary/known-facts.ts'
import type { FactsReading } from '../../../facts/summary/reading.ts'
import type { Template } from '../template.ts'

/** The input of a local summary. No model is called. */
export interface LocalSummaryRequest<T extends number = number> {
  /** The facts of the whole log. */
  facts: Facts
  /** The most that the summary may take, in tokens of the unit of `count`. A hard cap. */
  budget: NoInfer<T>
  count: (text: string) => T
  /** The most that the human's rules may take of it; all that there is by default. */
  standing?: NoInfer<T> | undefined
  template?: Template | undefined
  /** The summary that this one replaces, by code or by a model. */
  previous?: string | undefined
  /** What the reader cares about most: matching facts are preferred. */
  focus?: string | undefined
  /** What was read of the facts for another summary of them with the same focus. */
  reading?: FactsReading | undefined
  /** Texts that appear next to the summary: names in them are not listed again. */
  beside?: readonly string[] | undefined
}
