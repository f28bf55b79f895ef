import { indexAfter, type Chronological } from '../log/order.ts'
import type { Entry, Seq } from '../log/entry.ts'

/** What observations taught: a fold over the log, so that it survives a restart. */
export interface Learned {
  seq: Seq
  /** Real tokens per estimated token, by model ('' where none was named). */
  ratios: Map<string, number>
  /** The smallest window that a provider's error named, by model. */
  limits: Map<string, number>
  /** Failed summaries since the last one that succeeded. */
  failures: number
  /** Compactions that the open breaker has kept from the model so far. */
  paused: number
}

export function emptyLearned(): Learned {
  return { seq: 0, ratios: new Map(), limits: new Map(), failures: 0, paused: 0 }
}

/** Folds in what the log holds beyond `learned.seq`, in place. */
export function advanceLearned(learned: Learned, log: Chronological): Learned {
  for (let index = indexAfter(log, learned.seq); index < log.length; index++) {
    const entry = log[index] as Entry
    if (entry.kind === 'checkpoint') foldCheckpoint(learned, entry.summarizer)
    if (entry.kind === 'observation') foldObservation(learned, entry.observation)
    learned.seq = entry.seq
  }
  return learned
}

function foldCheckpoint(learned: Learned, summarizer: string): void {
  if (summarizer === 'local') learned.paused += 1
  else learned.failures = 0
}

function foldObservation(
  learned: Learned,
  observation: Extract<Entry, { kind: 'observation' }>['observation'],
): void {
  if (observation.type === 'calibration') {
    learned.ratios.set(observation.model ?? '', observation.ratio)
  } else if (observation.type === 'limit') {
    const key = observation.model ?? ''
    learned.limits.set(key, Math.min(observation.tokens, learned.limits.get(key) ?? Infinity))
  } else if (observation.type === 'failure') {
    learned.failures += 1
    learned.paused = 0
  }
}

/** Whether failures in a row keep this compaction from the model. */
export function breakerIsOpen(
  learned: Learned,
  breaker: { failures: number; pause: number },
): boolean {
  return learned.failures >= breaker.failures && learned.paused <= breaker.pause
}
