import type { Facts as FullFacts } from '../../../facts/facts.ts'
import type { Template } from '../template.ts'

/** The facts that the summarizer reads: everything except the internal memory of their fold. */
export type Facts = Omit<FullFacts, 'memory'>

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
  /** The summary that this one replaces, whoever wrote it. */
  previous?: string | undefined
  /** What the reader cares about most: matching facts are preferred. */
  focus?: string | undefined
  /** Texts that appear next to the summary: names in them are not listed again. */
  beside?: readonly string[] | undefined
}
