import { summaryRequestSize } from '../../../../compaction/summary/with-model/request-size.ts'
import { plannedUnits } from '../../../../compaction/plan/planned-units.ts'
import { costOf, pricesOf } from '../../../../tokens/prices.ts'
import { startingRatio } from '../../../../tokens/calibration.ts'
import { counted, dollarText, withThousands } from '../../../terminal/numbers.ts'
import { sanitizeLine } from '../../../../log/sanitize.ts'
import type { Plan } from '../../../../compaction/plan/plan.ts'
import type { Refused } from '../../../../compaction/summary/with-model/refused.ts'
import type { CompactedLog } from '../../../../session/once/compact-log.ts'
import type { Work } from '../work.ts'
import type { ChosenModel } from './chosen-model.ts'

/** What a model's summary will cost, about; `undefined` where none is needed. */
export function costBefore(chosen: ChosenModel, { input }: Work, plan: Plan): string | undefined {
  if (plan.action !== 'summarize') return undefined
  const { counter, policy, context, log } = input
  const units = plannedUnits(context, input.facts(), log)
  const asked = { ...counter, ratio: startingRatio(chosen.model) }
  const { head, beside, answer } = summaryRequestSize(plan.cut, { units, policy, counter: asked })
  const inputTokens = head + beside
  const outputTokens: number = answer
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

/** Why a model's summary was not used, and what to do about it; `undefined` if it was. */
export function whyNotUsed(
  chosen: ChosenModel | undefined,
  { report }: Pick<CompactedLog, 'report'>,
): string | undefined {
  const { attempts, summarizer } = report
  if (attempts.length === 0 || (summarizer !== undefined && summarizer !== 'local'))
    return undefined
  const problems = [...new Set(attempts.flatMap((attempt) => attempt.problems))]
  const reason = sanitizeLine(problems.join('; ').slice(0, 400)).replace(/[.\s]+$/, '')
  const refused = chosen && refusalOf(report)
  if (!refused) return `the model’s summary was not used (${reason}); the local one was.`
  return `${reason}. ${remedyFor(chosen, refused)} The summary was written without a model.`
}

/** What the provider refused, so that none of its summaries could be had. */
export function refusalOf({ attempts }: CompactedLog['report']): Refused | undefined {
  return attempts.at(-1)?.refused
}

/** What helps where a provider refuses. */
export function remedyFor(chosen: ChosenModel, refused: Refused): string {
  if (refused === 'model') {
    const version =
      chosen.type === 'http' && chosen.wire === 'openai' && !/\/v\d\w*(?:\/|$)/.test(chosen.baseUrl)
    return `Check the name of the model${version ? ' and the address: most servers’ end in /v1' : ''}.`
  }
  if (refused === 'size') return 'Name a model with a larger window.'
  if (refused === 'request') return 'Name another model: this one takes no such request.'
  if (refused === 'certificate') {
    return 'Set NODE_EXTRA_CA_CERTS to the file of its authority’s certificate.'
  }
  if (refused === 'proxy') return 'Set the name and the password of the proxy in its address.'
  if (refused === 'money') return 'Add credit to your account with the provider.'
  if (chosen.type === 'package') return `Set the key that @ai-sdk/${chosen.provider} reads.`
  const { key, keyIn } = chosen
  return `${key === undefined ? 'Set' : 'Check'} ${keyIn} in the environment.`
}

function nameOf(chosen: ChosenModel): string {
  const at = chosen.type === 'http' ? ` at ${new URL(chosen.baseUrl).host}` : ''
  return sanitizeLine(`${chosen.model.slice(0, 80)}${at}`)
}
