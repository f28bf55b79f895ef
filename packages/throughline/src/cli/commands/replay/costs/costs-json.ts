import { cachePrices } from '../../../../tokens/prices.ts'
import type { Costs } from './cost-lines.ts'

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
