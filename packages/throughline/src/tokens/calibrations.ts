import { indexAfter } from '../log/order.ts'
import { startingRatio } from './calibration.ts'
import { modelTokens, type ModelTokens } from './units.ts'
import type { Entry, Seq } from '../log/entry.ts'
import type { Chronological } from '../log/order.ts'
import type { Window } from './window.ts'

/** What observations taught of how models count, and of what they take: a fold over the log. */
export interface Calibrations {
  seq: Seq
  /** Tokens of the model per estimated token, by model ('' where none was named). */
  ratios: Map<string, number>
  /** The smallest window that a provider's error named, by model. */
  limits: Map<string, ModelTokens>
}

export function emptyCalibrations(): Calibrations {
  return { seq: 0, ratios: new Map(), limits: new Map() }
}

/** Folds in what the log holds beyond `calibrations.seq`, in place. */
export function advanceCalibrations(calibrations: Calibrations, log: Chronological): Calibrations {
  for (let index = indexAfter(log, calibrations.seq); index < log.length; index++) {
    const entry = log[index] as Entry
    if (entry.kind === 'observation') foldObservation(calibrations, entry.observation)
    calibrations.seq = entry.seq
  }
  return calibrations
}

function foldObservation(
  { ratios, limits }: Calibrations,
  observation: Extract<Entry, { kind: 'observation' }>['observation'],
): void {
  if (observation.type === 'calibration') {
    ratios.set(observation.model ?? '', observation.ratio)
  } else if (observation.type === 'limit') {
    const key = observation.model ?? ''
    limits.set(key, modelTokens(Math.min(observation.tokens, limits.get(key) ?? Infinity)))
  }
}

/** Tokens of this model per estimated token: what the log taught, else what is usual. */
export function ratioOf({ ratios }: Calibrations, model: string | undefined): number {
  return ratios.get(model ?? '') ?? startingRatio(model)
}

/** The model's window, or the smaller one that its provider's errors have taught. */
export function learnedWindow(
  { limits }: Calibrations,
  { window, model }: { window: Window; model?: string | undefined },
): Window {
  const limit = limits.get(model ?? '')
  return limit === undefined || limit >= window.context ? window : { ...window, context: limit }
}
