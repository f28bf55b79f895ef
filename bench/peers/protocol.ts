import type { Adapter, PeerAnswer, PeerRequest } from './adapter.ts'
import type { Asked } from './stand-in.ts'

/** What the bench says to the process of a peer. */
export type HostRequest =
  | { type: 'open'; peer: string; answers?: string }
  | { type: 'compact'; request: Omit<PeerRequest, 'model'> }
  /** Only how long it takes, on a session with this many copies. */
  | { type: 'time'; request: Omit<PeerRequest, 'model'>; copies: number }

/** What it answers. */
export type HostAnswer =
  | { type: 'opened'; about: Omit<Adapter, 'compact'> & { version: string } }
  | { type: 'compacted'; answer: PeerAnswer; asked: Asked[] }
  | { type: 'timed'; timing: Timing }
  | { type: 'failed'; problem: string }

/** What one compaction took of the peer's own: without the model's part. */
export interface Timing {
  /** Milliseconds. */
  own: number
  /** Bytes of heap that it took on top of what was there. */
  heap: number
}
