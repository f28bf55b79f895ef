import type { Spending } from '../../../log/entry.ts'
import type { SummaryCall } from './summarizer.ts'

/** The total cost of calls; `undefined` if none was made. */
export function spendingOf(calls: readonly SummaryCall[]): Spending | undefined {
  if (calls.length === 0) return undefined
  const read = calls.flatMap(({ usage }) => usage?.cacheReadTokens ?? [])
  const written = calls.flatMap(({ usage }) => usage?.cacheWriteTokens ?? [])
  const costs = calls.flatMap(({ cost }) => cost ?? [])
  // A provider charges nothing for a request that it refuses; the cost of an answer without a price
  // is unknown.
  const priced = costs.length > 0 && calls.every(({ cost, failed }) => failed || cost !== undefined)
  return {
    calls: calls.length,
    inputTokens: sum(calls.map(({ usage }) => usage?.inputTokens ?? 0)),
    outputTokens: sum(calls.map(({ usage }) => usage?.outputTokens ?? 0)),
    ...(read.length > 0 && { cacheReadTokens: sum(read) }),
    ...(written.length > 0 && { cacheWriteTokens: sum(written) }),
    ...(priced && { cost: sum(costs) }),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
