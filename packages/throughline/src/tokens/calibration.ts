import { type EstimatedTokens, type ModelTokens, modelTokens } from './units.ts'
import { indexAfter, type Chronological } from '../log/order.ts'
import type { Entry, EntryOf, Seq } from '../log/entry.ts'
import type { Window } from './window.ts'

/** One request as we estimated it and as its provider counted it. */
export interface Reading {
  /** Our own estimate, without any ratio applied. */
  estimate: EstimatedTokens
  /** The provider's input tokens, including cached ones. */
  reported: ModelTokens
}

// gemini-cli learns its token weight the same way: one fifth of each new reading, within 0.5–2.
const share = 0.2
const smallest = 0.5
const largest = 2

// Usage that is further off counts something else: only a cached prefix, or an agent's whole turn.
const believable = 4

/**
 * The next ratio of real to estimated tokens for a model, given the previous one and the provider's
 * latest report. It is a moving average that gives each reading one fifth of the weight and stays
 * within 0.5 and 2. An implausible reading (zero, not a number, more than four times off) changes
 * nothing.
 * @example
 * calibrate(1, { estimate: session.estimate(), reported: modelTokens(usage.inputTokens) })
 */
export function calibrate(previous: number, { estimate, reported }: Reading): number {
  const ratio = reported / estimate
  const old = Number.isFinite(previous) ? clamp(previous) : 1
  if (!(estimate > 0 && ratio >= 1 / believable && ratio <= believable)) return old
  return clamp(old + share * (clamp(ratio) - old))
}

/**
 * The initial ratio, before any usage is reported: 1 for models whose vocabulary is close to
 * o200k_base, 1.3 for Claude.
 *
 * Measured on the growth of input tokens from request to request in real sessions: GPT-5.4 0.99
 * (901 requests), Gemini 3 Flash 0.96 (44), Claude Opus 4.5 1.25 (736) and 4.6 1.34 (639).
 * @example
 * startingRatio('claude-opus-4-5-20251101') // 1.3
 */
export function startingRatio(model: string | undefined): number {
  return model !== undefined && /claude/i.test(model) ? 1.3 : 1
}

function clamp(ratio: number): number {
  return Math.min(largest, Math.max(smallest, ratio))
}

/** What observations taught of how models count, and of what they take: a fold over the log. */
export interface Calibrations {
  seq: Seq
  /** Tokens of the model per estimated token, by model ('' where none was named). */
  ratios: Map<string, number>
  /** The smallest window named in a provider's error, by model. */
  limits: Map<string, ModelTokens>
  /** The same, of errors that named none: for the one compaction that follows. */
  assumed: Map<string, ModelTokens>
}

export function emptyCalibrations(): Calibrations {
  return { seq: 0, ratios: new Map(), limits: new Map(), assumed: new Map() }
}

/** Folds in what the log holds beyond `calibrations.seq`, in place. */
export function advanceCalibrations(calibrations: Calibrations, log: Chronological): Calibrations {
  for (let index = indexAfter(log, calibrations.seq); index < log.length; index++) {
    const entry = log[index] as Entry
    if (entry.kind === 'observation') foldObservation(calibrations, entry.observation)
    // What they were assumed for is done. One refusal without a number must not shrink a window.
    if (entry.kind === 'checkpoint' || entry.kind === 'prune') calibrations.assumed.clear()
    if (entry.kind === 'message') foldAnswer(calibrations, entry)
    calibrations.seq = entry.seq
  }
  return calibrations
}

/** An answer to a request that was larger than what was assumed. */
function foldAnswer({ assumed }: Calibrations, { usage, model = '' }: EntryOf<'message'>): void {
  if ((usage?.inputTokens ?? 0) > (assumed.get(model) ?? Infinity)) assumed.delete(model)
}

function foldObservation(
  { ratios, limits, assumed }: Calibrations,
  observation: Extract<Entry, { kind: 'observation' }>['observation'],
): void {
  if (observation.type === 'calibration') {
    // A log may come from anywhere, and by a ratio of zero nothing would ever be too large.
    if (observation.ratio > 0) ratios.set(observation.model ?? '', clamp(observation.ratio))
  } else if (observation.type === 'limit') {
    const key = observation.model ?? ''
    const known = observation.assumed ? assumed : limits
    known.set(key, modelTokens(Math.min(observation.tokens, known.get(key) ?? Infinity)))
  }
}

/** Tokens of this model per estimated token: what the log taught, else what is usual. */
export function ratioOf({ ratios }: Calibrations, model: string | undefined): number {
  return ratios.get(model ?? '') ?? startingRatio(model)
}

/**
 * The model's window, or the smaller one that its provider's errors have named, or that one without
 * a number makes necessary for the next compaction.
 */
export function learnedWindow(
  { limits, assumed }: Calibrations,
  { window, model = '' }: { window: Window; model?: string | undefined },
): Window {
  const context = Math.min(
    window.context,
    limits.get(model) ?? Infinity,
    assumed.get(model) ?? Infinity,
  )
  return context === window.context ? window : { ...window, context }
}
