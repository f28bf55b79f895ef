import type { Message } from 'throughline'

/**
 * Another engine, called in its own process through one interface: messages and a budget in,
 * messages out.
 */
export interface Adapter {
  name: string
  /** The package that it comes from, for its version. */
  package: string
  /** An engine that only trims is not compared in speed with one that summarizes. */
  work: 'trims' | 'summarizes'
  /** How its own settings were derived from the budget, for the report. */
  settings: string
  compact: (request: PeerRequest) => Promise<PeerAnswer>
}

export interface PeerRequest {
  /** The whole context: whole steps, each call with its result. */
  messages: readonly Message[]
  /** The most tokens (bytes/4) that the next context should hold. */
  keep: number
  /** What this peer returned with the previous answer, when a session is compacted again. */
  state?: unknown
  model: Model
}

export interface PeerAnswer {
  messages: readonly Message[]
  /** The text that the peer wrote, where it wrote one. */
  summary: string
  state?: unknown
}

/** The model that all summarizing engines use: the same for all, and in every run. */
export interface Model {
  answer: (question: Question) => string
}

export interface Question {
  /** All text of the request, instructions included. */
  prompt: string
  /** What of it is instructions, where that is known: an answer never repeats them. */
  instruction?: string
  /** The most tokens (bytes/4) for the answer. */
  most: number
  /** Sections that the answer must have. */
  headings?: readonly string[]
}

/** The part of the budget that stays word for word; the summary gets the rest. */
export const tailShare = 0.4

/** What is left of the budget for a summary and the text around it. */
export function summaryTokens(keep: number): number {
  return Math.floor(keep * (1 - tailShare)) - around
}

/** Tokens that engines add around a summary themselves. */
const around = 150
