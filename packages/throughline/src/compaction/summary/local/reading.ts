import type { Facts } from './request.ts'
import { rankingOfFiles } from './file-lines.ts'
import { rankingOfNames } from './name-list.ts'
import { worthIn, type Worth, type Ranking } from './ranking.ts'
import {
  rankedStatements,
  type RankedStatements,
} from '../../../facts/statements/rank-statements.ts'
import type { FileFact, NameFact } from '../../../facts/facts.ts'
import type { CountTokens } from '../../../tokens/message-tokens.ts'
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

/** Facts as summaries read them, each thing when it is needed first. */
export interface FactsReading {
  worth: Worth
  files: () => Ranking<FileFact>
  names: () => Ranking<NameFact | FileFact>
  statements: (count: CountTokens) => RankedStatements
}

/** Reads facts once for several summaries of them; they must not change in between. */
export function readingOf(facts: Facts, focus: string | undefined): FactsReading {
  const worth = worthIn({ seq: facts.seq, focus })
  let files: Ranking<FileFact> | undefined
  let names: Ranking<NameFact | FileFact> | undefined
  let statements: { count: CountTokens; ranked: RankedStatements } | undefined
  return {
    worth,
    files: () => (files ??= rankingOfFiles(facts, worth)),
    names: () => (names ??= rankingOfNames(facts, worth)),
    statements(count) {
      if (statements?.count !== count)
        statements = { count, ranked: rankedStatements({ facts, count, ...worth }) }
      return statements.ranked
    },
  }
}
