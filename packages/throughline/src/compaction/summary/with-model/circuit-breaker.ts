import { indexAfter, type Chronological } from '../../../log/order.ts'
import type { Entry, Seq, Spending } from '../../../log/entry.ts'
import type { SummaryCall } from './summarizer.ts'

/** What failures in a row say of asking a model again: a fold over the log. */
export interface CircuitBreaker {
  seq: Seq
  /** Failed summaries since the last successful one. */
  failures: number
  /** How many compactions the open breaker has already kept away from the model. */
  paused: number
}

export function closedCircuitBreaker(): CircuitBreaker {
  return { seq: 0, failures: 0, paused: 0 }
}

/** Folds in what the log holds beyond `breaker.seq`, in place. */
export function advanceCircuitBreaker(breaker: CircuitBreaker, log: Chronological): CircuitBreaker {
  for (let index = indexAfter(log, breaker.seq); index < log.length; index++) {
    const entry = log[index] as Entry
    if (entry.kind === 'checkpoint') {
      if (entry.summarizer === 'local') breaker.paused += 1
      else breaker.failures = 0
    } else if (entry.kind === 'observation' && entry.observation.type === 'failure') {
      breaker.failures += 1
      breaker.paused = 0
    }
    breaker.seq = entry.seq
  }
  return breaker
}

/** Whether repeated failures keep this compaction away from the model. */
export function circuitBreakerIsOpen(
  { failures, paused }: CircuitBreaker,
  limits: { failures: number; pause: number },
): boolean {
  return failures >= limits.failures && paused <= limits.pause
}

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

/** What two kinds of calls cost together. */
export function together(one: Spending | undefined, other: Spending | undefined) {
  if (!one || !other) return one ?? other
  const { cacheReadTokens, cacheWriteTokens } = one
  const read = cacheReadTokens ?? other.cacheReadTokens
  const written = cacheWriteTokens ?? other.cacheWriteTokens
  // A refused request costs nothing; the cost of any other without a price is unknown.
  const both = [one, other]
  const isPriced =
    both.some(({ cost }) => cost !== undefined) &&
    both.every(
      ({ cost, inputTokens, outputTokens }) =>
        cost !== undefined || inputTokens + outputTokens === 0,
    )
  return {
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(read !== undefined && {
      cacheReadTokens: (cacheReadTokens ?? 0) + (other.cacheReadTokens ?? 0),
    }),
    ...(written !== undefined && {
      cacheWriteTokens: (cacheWriteTokens ?? 0) + (other.cacheWriteTokens ?? 0),
    }),
    ...(isPriced && { cost: (one.cost ?? 0) + (other.cost ?? 0) }),
  } satisfies Spending
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
