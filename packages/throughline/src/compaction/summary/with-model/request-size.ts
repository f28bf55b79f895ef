import { modelTokens, sumEstimated, toModel, type ModelTokens } from '../../../tokens/units.ts'
import type { PlannedCut } from '../../cut/planned-cut.ts'
import type { TranscriptStrategy } from '../transcript.ts'
import type { Counter } from '../../../tokens/counter.ts'
import type { Unit } from '../../../log/steps.ts'

/** What a model will read and write for a summary, about. */
export interface SummaryRequestSize {
  /** The old part, with the summary before it. */
  head: ModelTokens
  /** The instruction, twice, and the text around the data. */
  beside: ModelTokens
  answer: ModelTokens
}

const beside = modelTokens(1_500)
// Models stop before a limit that they know of, and write no more than this.
const written = 0.8
const longest = 7_000

export function summaryRequestSize(
  { head, previous, summaryBudget }: PlannedCut,
  {
    units,
    policy: { transcript, protectedTools },
    counter,
  }: {
    units: readonly Unit[]
    policy: { transcript: TranscriptStrategy; protectedTools: readonly string[] }
    counter: Counter
  },
): SummaryRequestSize {
  const read = transcript({ head, units, protectedTools, counter }).map(counter.message)
  return {
    head: toModel(sumEstimated([...read, counter.text(previous ?? '')]), counter.ratio),
    beside,
    answer: answerTokensFor(summaryBudget),
  }
}

/** What a model writes, about, where it may write this much. */
export function answerTokensFor(summaryBudget: ModelTokens): ModelTokens {
  return modelTokens(Math.round(Math.min(summaryBudget * written, longest)))
}
