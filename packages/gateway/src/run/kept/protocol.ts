import type { Answered } from '../../server/answer-request.ts'
import type { CarriedError } from '../../engine/errors.ts'
import type { Compacted } from '../tally.ts'
import type { SessionSettings } from '../../sessions/settings.ts'
import type { Upstreams } from '../../upstream/targets.ts'

/** Where requests go: it is known once the client has been pointed to the gateway. */
export interface Targets {
  routes: Readonly<Record<string, string>>
  upstreams: Upstreams
}

export interface Work {
  /** Where the sessions are kept. */
  folder: string
  settings: SessionSettings
  token: string
  /** A module that makes the pages of sessions. */
  pageModule?: string
  /** A folder of the run, which goes with it. */
  own: string
}

/** Said to the gateway. Addresses may hold secrets: they are in no argument and in no variable. */
export type ToGateway =
  | { is: 'open'; work: Work }
  | { is: 'listen'; port: number }
  | { is: 'targets'; targets: Targets }
  /** The client runs: if nobody is left to say when it ends, it is looked for. */
  | { is: 'client'; pid: number }
  | { is: 'end' }

/** Said by the gateway. */
export type FromGateway =
  | { is: 'opened' }
  | { is: 'listening'; url: string }
  | { is: 'failed'; error: CarriedError }
  | { is: 'compacted'; session: string; report: Compacted }
  | { is: 'answered'; answered: Answered }
  /** All has been told. */
  | { is: 'ended' }
