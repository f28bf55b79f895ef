import type { Facts } from './known-facts.ts'
import { rankingOfFiles } from './file-lines.ts'
import { rankingOfNames } from './name-list.ts'
import { worthIn, type Worth, type Ranking } from './ranking.ts'
import { rankedStatements, type RankedStatements } from '../statements/rank-statements.ts'
import type { FileFact, NameFact } from '../facts.ts'
import type { CountTokens } from '../../tokens/message-tokens.ts'

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
