import type {
  FactsKept,
  HarnessRecord,
  RecordedCompaction,
  Result,
  SeriesResult,
} from 'throughline/evaluation'
import type { Growth } from './growth.ts'
import type { Life } from './life.ts'
import type { PeerAbout } from './peer.ts'
import type { Speed } from './speed.ts'

/**
 * All results of a run: the page, the tables and the accepted figures are made from these alone.
 */
export interface Figures {
  sessions: {
    /** `corpus`, `sample`, or the folder that was named. */
    source: string
    count: number
  }
  /** The window in which the sessions were replayed, in tokens. */
  window: number
  /** The compactions that harnesses really made, and Throughline's at the same moments. */
  recorded: RecordedCompaction[]
  harnesses: HarnessRecord[]
  contested: Contested[]
  /** How Throughline's own cost grows; a peer's growth is listed with the peer. */
  growth: Growth[]
}

/** A contestant, or why it could not be measured. */
export type Contested = Asked | NotAsked

interface NotAsked {
  id: string
  problem: string
}

export interface Asked {
  id: string
  name: string
  /** What survives one compaction, per size. */
  atCuts: Result[]
  /** What survives many in a row. */
  series?: SeriesResult
  /** Which facts of the exams survive one compaction, per size; none where there are no exams. */
  facts: FactsKept[][]
  /** For a peer: the facts that Throughline keeps in as many tokens as the peer kept at the usual size. */
  inAsMany?: FactsKept[]
  lives: Life[]
  /** A real model's answers that were used instead of the stand-in's. */
  recordedAnswers: number
  /** For a peer: its package, its version, and how it was set up. */
  about?: PeerAbout
  speed?: Speed
  growth?: Growth
}
