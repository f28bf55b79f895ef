import type { Facts as FullFacts } from '../../../facts/facts.ts'
import type { Template } from '../template.ts'

/** What the summarizer reads of the facts: all but the memory of their fold. */
export type Facts = Omit<FullFacts, 'memory'>

/** What a local summary is made from. No model is asked. */
export interface LocalSummaryRequest<T extends number = number> {
  /** The facts of the whole log. */
  facts: Facts
  /** The most that the summary may take, in tokens of the unit of `count`. A hard cap. */
  budget: NoInfer<T>
  count: (text: string) => T
  template?: Template | undefined
  /** The summary that this one replaces, whoever wrote it. */
  previous?: string | undefined
  /** What the reader cares about most: facts that match are preferred. */
  focus?: string | undefined
  /** Texts that stand beside the summary: names that are in them are not listed again. */
  beside?: readonly string[] | undefined
}
