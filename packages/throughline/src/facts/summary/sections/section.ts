import type { Seq } from '../../../log/entry.ts'
import type { CountTokens } from '../../../tokens/message-tokens.ts'
import type { FactsState } from '../../fold-memory.ts'
import type { Place } from '../../statements/rank-statements.ts'
import type { Beside } from '../beside.ts'
import type { SaidWords } from '../clip-words.ts'
import type { Facts } from '../known-facts.ts'
import type { FactsReading } from '../reading.ts'
import type { Room } from '../room.ts'

/** A section that every summary has: all that is known of it is here. */
export interface SummarySection {
  heading: string
  /** What a model is told to write there. */
  guide: string
  /** Other words for the heading, in English and in the languages that models translate to. */
  otherNames?: string
  /** Headings of a part of it, which other clients ask for: their words stay, as a label in it. */
  partNames?: string
  /** What code writes into it, in the order in which it stands there. */
  parts: readonly Part[]
  /** How its lines become facts again. */
  read?: ReadBack
  /** Of a summary that is too long, the section with the lowest number is cut first. */
  cutAs: number
  /** It is cut at its beginning: its end says more. */
  keepsEnd?: boolean
  /** A model says more here than the log holds. */
  givesReasons?: boolean
  /** A line stays until something shows that it no longer holds. */
  isLasting?: boolean
}

/** Lines of a summary. */
export type Lines = readonly string[]

/** What all other lines leave is taken after this. */
export const lastTurn = 100

/** With less room than this, in tokens, a part says nothing useful. */
export const leastOfPart = 40

/** Something that code writes into a section. */
export interface Part {
  /** When it takes its room: what comes late gets what the others leave. */
  turn: number
  write: (writing: Writing) => Lines | Generator<undefined, Lines>
  /** The part in whose place it stands. */
  inPlaceOf?: Part
}

/** A summary while code writes it. */
export interface Writing extends Omit<FactsReading, 'statements'> {
  facts: Facts
  count: CountTokens
  /** What the summary may take. */
  tokens: number
  /** What is left of that. */
  room: Room
  /** The most that the rules may take; all that there is by default. */
  standing: number | undefined
  beside: Beside
  /** The words next to the summary. */
  around: SaidWords
  /** A share of a summary that is large enough for all that it could say; less of a small one. */
  want: (share: number) => number
  /** What the part has written. */
  linesOf: (part: Part) => Lines
  /** All that was written. */
  written: () => Iterable<Lines>
  /** The statements for each section, once `ask` has said how much they may take. */
  statements: (tokens: number, said: string, stands: string) => Record<Place, string[]>
  /** What was carried over from the summary before. */
  earlier: (tokens: number) => Lines
}

/** Reads what stands under a heading of a summary that may be all that is left of a session. */
interface ReadBack {
  /** Before anything else is read. */
  first?: ReadLines
  /** Of a summary that code wrote. */
  own?: ReadLines
  /** Of any summary: what code writes into those of a model too. */
  any?: ReadLines
}

/** Every fact gets the seq of the entry that holds the summary. */
type ReadLines = (facts: FactsState, body: string, seq: Seq) => void
