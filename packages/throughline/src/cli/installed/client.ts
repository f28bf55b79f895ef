import type { Change } from './change.ts'
import type { Place } from './place.ts'

/** How Throughline is installed in one client. A file each, in `of/`. */
export interface InstallableClient {
  /** The name of its format: `claude-code`. */
  name: string
  /** What the user calls it. */
  label: string
  /** What the user types for it: `claude`. */
  word: string
  program: string
  /** What it gives, in one line. */
  gives: string
  /** What the user has to do once before the client runs what is ours; a restart if not said. */
  first?: string
  /** What its program is called with for one real turn, which the user's model answers. */
  turn?: readonly string[]
  /** It repeats requests that were refused by itself, and tells nobody how often. */
  repeats?: boolean
  /** The folder of its settings; whoever has none has not used it here. */
  settings: (place: Place) => string
  plan: (place: Place, wanted: Wanted) => Planned
}

export interface Wanted {
  /** Summaries by code alone: the client's model is never asked for one. */
  local: boolean
}

export interface Planned {
  changes: readonly Change[]
  /** What the user has to know or do, a sentence each. */
  notes?: readonly string[]
  /** What the client itself writes because of ours, and nobody needs after it: taken away with it. */
  leftovers?: readonly Leftover[]
}

export type Leftover =
  | { type: 'entry'; path: string; at: readonly string[] }
  | { type: 'folder'; path: string }
