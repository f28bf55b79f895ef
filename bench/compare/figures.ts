import type {
  HarnessRecord,
  RecordedCompaction,
  Result,
  SeriesResult,
} from 'throughline/evaluation'
import type { Growth } from './growth.ts'
import type { Life } from './life.ts'
import type { PeerAbout } from './peer.ts'
import type { Speed } from './speed.ts'

/** All that a run gives: the page, the tables and the accepted figures are made from this alone. */
export interface Figures {
  sessions: {
    /** `corpus`, `sample`, or the folder that was named. */
    source: string
    count: number
  }
  /** The window in which the sessions were lived through, in tokens. */
  window: number
  /** The compactions that harnesses really made, and Throughline's at the same moments. */
  recorded: RecordedCompaction[]
  harnesses: HarnessRecord[]
  contested: Contested[]
  /** How Throughline's own cost grows; that of a peer stands with it. */
  growth: Growth[]
}

/** Someone who was asked, or why not. */
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
  lives: Life[]
  /** Answers of a real model that were used instead of the stand-in's. */
  recordedAnswers: number
  /** Of a peer: its package, its version, and how it was set up. */
  about?: PeerAbout
  speed?: Speed
  growth?: Growth
}
