import { counterOf, inModelTokens } from '../../tokens/counter.ts'
import { estimatedTokens, modelTokens, toEstimated } from '../../tokens/units.ts'
import { clipText } from '../clip/clip.ts'
import { budgetOf, type Budget } from '../plan/budget.ts'
import { defaultPolicy } from '../policy.ts'
import { pruneToLowWater, type PruneInput } from '../prune/prune.ts'
import { summarizeLocally } from '../summary/local/summarize-locally.ts'
import type { CutInput } from '../cut/cut.ts'
import type { Measurement } from '../measure/measure.ts'
import type { Report } from '../report.ts'
import type { LocalSummaryRequest } from '../summary/local/request.ts'
import type { SummaryRequest } from '../summary/with-model/summarizer.ts'

declare const pruning: PruneInput
declare const cutting: CutInput
declare const measured: Measurement
declare const reported: Report
declare const asked: SummaryRequest
declare const facts: LocalSummaryRequest['facts']

const counter = counterOf({ ratio: 1.3 })
const budget: Budget = budgetOf(defaultPolicy, { context: 200_000 }, measured.system)
const recent = modelTokens(defaultPolicy.recent(budget.usable))
const own = toEstimated(budget.keep, counter.ratio)

pruneToLowWater({ ...pruning, recent: toEstimated(recent, counter.ratio) })
clipText('', { budget: own, count: counter.text, note: '' })
clipText('', { budget: budget.keep, count: inModelTokens(counter), note: '' })

pruneToLowWater({ ...pruning, recent }) // error
pruneToLowWater({ ...pruning, recent: defaultPolicy.recent(budget.usable) }) // error
export const cut: CutInput = { ...cutting, budget: budget.tail } // error
budgetOf(defaultPolicy, { context: 200_000 }, counter.text('')) // error
clipText('', { budget: budget.keep, count: counter.text, note: '' }) // error
clipText('', { budget: own, count: inModelTokens(counter), note: '' }) // error
summarizeLocally({ facts, budget: budget.keep, count: counter.text }) // error
export const request: SummaryRequest = { ...asked, budget: budget.keep } // error
export const report: Report = { ...reported, after: own } // error
export const kept: Budget = { ...budget, keep: estimatedTokens(8_000) } // error
