import { indexAfter } from '../../../log/order.ts'
import type { Entry, Seq } from '../../../log/entry.ts'
import type { Chronological } from '../../../log/order.ts'

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
