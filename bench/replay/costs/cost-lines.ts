import { cachePrices } from '../../../packages/throughline/src/tokens/prices.ts'
import {
  counted,
  percent,
  withThousands,
} from '../../../packages/throughline/src/cli/terminal/numbers.ts'
import { table } from '../../../packages/throughline/src/cli/terminal/table.ts'
import { wrap } from '../../../packages/throughline/src/cli/terminal/columns.ts'
import type { Prices } from '../../../packages/throughline/src/tokens/price-table.ts'
import type { Paint } from '../../../packages/throughline/src/cli/terminal/colour.ts'
import type { CostedPolicy, PolicyCost } from './policy-costs.ts'

/** The cost of a session under each policy. */
export interface Costs {
  prices: Prices
  policies: readonly PolicyCost[]
}

const names: Readonly<Record<CostedPolicy, string>> = {
  client: 'its own client',
  none: 'no compaction',
  seed: 'the seeds, by a model',
  'own, by a model': 'this, by a model',
  'own, by code': 'this, by code',
  economic: 'economic, by code',
}

/** A table of the session's costs. */
export function costLines(
  { prices, policies }: Costs,
  { paint, width }: { paint: Paint; width: number },
): string[] {
  const rows = policies.map((cost) => [
    names[cost.policy],
    withThousands(cost.requests.requests),
    percent(cost.requests.usage.cacheReadTokens, cost.requests.usage.inputTokens),
    cost.summaries.calls === 0 ? '' : dollars(cost.summaries.dollars),
    dollars(cost.dollars),
    mark(cost),
  ])
  return [
    '',
    paint('bold', 'Cost'),
    ...table(
      [
        { heading: 'compaction', clip: 'end' },
        { heading: 'requests', side: 'right' },
        { heading: 'cached', side: 'right' },
        { heading: 'summaries', side: 'right' },
        { heading: 'total', side: 'right' },
        {},
      ],
      rows,
      width,
    ),
    ...wrap(pricesText(prices), width),
  ]
}

function mark({ tooLarge, stoppedAfter }: PolicyCost): string {
  if (stoppedAfter !== undefined) return `stopped after ${counted(stoppedAfter, 'step')}`
  return tooLarge === 0 ? '' : `${withThousands(tooLarge)} too large`
}

function pricesText(prices: Prices): string {
  const { read, write } = cachePrices(prices)
  const per = `${perMillion(prices.input)} in, ${perMillion(prices.output)} out, ${perMillion(read)} from the cache, ${perMillion(write)} into it`
  return `(US dollars; a million tokens cost ${per}. Requests are too large if the window does not take them. The client’s own tools and system prompt are only in it if the session recorded them. The cache keeps an unchanged beginning for five minutes after its last use. A model’s summary is assumed to be as long as the one that code writes.)`
}

function dollars(amount: number): string {
  return amount > 0 && amount < 0.01 ? '<$0.01' : `$${amount.toFixed(2)}`
}

function perMillion(amount: number): string {
  return `$${Number(amount.toFixed(4))}`
}

/** The additional fields of `replay --prices --json`. */
export function costsJson(costs: Costs | undefined) {
  if (!costs) return {}
  const { input, output } = costs.prices
  const { read, write } = cachePrices(costs.prices)
  return {
    costs: {
      dollarsPerMillionTokens: {
        input,
        output,
        cacheRead: rounded(read),
        cacheWrite: rounded(write),
      },
      policies: costs.policies.map((cost) => ({
        policy: cost.policy,
        complete: cost.stoppedAfter === undefined,
        dollars: rounded(cost.dollars),
        requests: {
          count: cost.requests.requests,
          tooLarge: cost.tooLarge,
          inputTokens: Math.round(cost.requests.usage.inputTokens),
          cacheReadTokens: Math.round(cost.requests.usage.cacheReadTokens),
          outputTokens: Math.round(cost.requests.usage.outputTokens),
          dollars: rounded(cost.requests.dollars),
        },
        compactions: cost.compactions,
        summaries: { ...cost.summaries, dollars: rounded(cost.summaries.dollars) },
      })),
    },
  }
}

/** Rounded to a millionth of a dollar. */
function rounded(dollars: number): number {
  return Number(dollars.toFixed(6))
}
