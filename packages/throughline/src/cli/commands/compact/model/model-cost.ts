import { prunedTranscript } from '../../../../compaction/summary/transcript.ts'
import { plannedUnits } from '../../../../compaction/plan/planned-units.ts'
import { costOf, pricesOf } from '../../../../tokens/prices.ts'
import { toModel, sumEstimated } from '../../../../tokens/units.ts'
import { startingRatio } from '../../../../tokens/calibration.ts'
import { dollarText } from '../../../sizes/session-money.ts'
import { counted, withThousands } from '../../../terminal/numbers.ts'
import { sanitizeLine } from '../../../../log/sanitize.ts'
import type { Plan } from '../../../../compaction/plan/plan.ts'
import type { CompactedLog } from '../../../../session/once/compact-log.ts'
import type { Work } from '../work.ts'
import type { ChosenModel } from './chosen-model.ts'

// The instruction, twice, and what stands around the data.
const beside = 1_500

/** What a model's summary will cost, about; `undefined` where none is needed. */
export function costBefore(chosen: ChosenModel, { input }: Work, plan: Plan): string | undefined {
  if (plan.action !== 'summarize') return undefined
  const { counter, policy, context, log } = input
  const { head, previous, summaryBudget } = plan.cut
  const units = plannedUnits(context, input.facts(), log)
  const { protectedTools } = policy
  const read = prunedTranscript({ head, units, protectedTools, counter }).map(counter.message)
  const ratio = startingRatio(chosen.model)
  const inputTokens = toModel(sumEstimated([...read, counter.text(previous ?? '')]), ratio) + beside
  const outputTokens = Math.round(Math.min(summaryBudget * 0.8, 7_000))
  const prices = pricesOf(chosen.model)
  const cost = prices
    ? `about ${dollarText(costOf({ inputTokens, outputTokens }, prices))}`
    : 'the price is unknown'
  return `${nameOf(chosen)} will read about ${withThousands(inputTokens)} tokens and write up to ${withThousands(outputTokens)}: ${cost}`
}

/** What it did cost; why its summary was not used. */
export function costAfter({ report }: CompactedLog): string | undefined {
  const { attempts, spent } = report
  if (attempts.length === 0) return undefined
  const calls = attempts.reduce((sum, each) => sum + each.calls.length, 0)
  const { inputTokens = 0, outputTokens = 0, cost } = spent ?? {}
  const price = cost === undefined ? 'the price is unknown' : dollarText(cost)
  const size =
    inputTokens + outputTokens === 0
      ? 'its tokens are unknown'
      : `${withThousands(inputTokens)} tokens in, ${withThousands(outputTokens)} out`
  return `${counted(calls, 'request')}, ${size}: ${price}`
}

/** Why a model's summary could not be used; `undefined` if it was. */
export function whyNotUsed({ report }: CompactedLog): string | undefined {
  const { attempts, summarizer } = report
  if (attempts.length === 0 || (summarizer !== undefined && summarizer !== 'local'))
    return undefined
  const problems = [...new Set(attempts.flatMap((attempt) => attempt.problems))]
  return sanitizeLine(problems.join('; ').slice(0, 400))
}

function nameOf(chosen: ChosenModel): string {
  const at = chosen.type === 'http' ? ` at ${new URL(chosen.baseUrl).host}` : ''
  return sanitizeLine(`${chosen.model.slice(0, 80)}${at}`)
}
