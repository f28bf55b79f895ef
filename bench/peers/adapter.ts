import type { Message } from 'throughline'

/** Another engine, called in its own process on one interface: messages and a budget in, messages out. */
export interface Adapter {
  name: string
  /** The package that it is called from, for its version. */
  package: string
  /** One that only trims is not compared in speed with one that summarizes. */
  work: 'trims' | 'summarizes'
  /** How its own settings were made from the budget, for the report. */
  settings: string
  compact: (request: PeerRequest) => Promise<PeerAnswer>
}

export interface PeerRequest {
  /** The whole context: whole steps, each call with its result. */
  messages: readonly Message[]
  /** Tokens (bytes/4) that the next context should hold at most. */
  keep: number
  /** What this peer handed back with the answer before, of a session that is compacted again. */
  state?: unknown
  model: Model
}

export interface PeerAnswer {
  messages: readonly Message[]
  /** The text that the peer wrote, where it wrote one. */
  summary: string
  state?: unknown
}

/** The model that all summarizing engines ask: the same for all, and the same in every run. */
export interface Model {
  answer: (question: Question) => string
}

export interface Question {
  /** All text of the request, instructions included. */
  prompt: string
  /** What of it is instructions, where that is known: an answer never repeats them. */
  instruction?: string
  /** Tokens (bytes/4) that the answer may take. */
  most: number
  /** Sections that the answer must have. */
  headings?: readonly string[]
}

/** Of the budget, the part that stays word for word; the summary has the rest. */
export const tailShare = 0.4

/** What is left of the budget for a summary and the words around it. */
export function summaryTokens(keep: number): number {
  return Math.floor(keep * (1 - tailShare)) - around
}

/** Tokens that engines write around a summary of their own accord. */
const around = 150
