import type { Fitted, Heard, LiveSession, Place, Wanted } from '../sessions/live-session.ts'
import type { Mark } from '../store/gateway-store.ts'
import type { OwnCall } from '../tools/tool-wire.ts'

/** What a request is fitted for. */
export type FitFor = Parameters<LiveSession['fit']>[1]

/** A session that is at work, in this thread or another one. */
export interface SessionAtWork {
  fit: (wanted: Wanted, what: FitFor) => Promise<Fitted>
  recover: (wanted: Wanted, error: unknown) => Promise<Fitted | undefined>
  reply: (wanted: Wanted, call: OwnCall) => Promise<string>
  answered: (to: Mark, heard: Heard) => void
  answeredMeanwhile: (to: Mark, heard: Heard) => void
  used: (now: number) => void
  mayGoOn: (now: number) => boolean
  readonly place: Place | undefined
  readonly threshold: number
  readonly tokens: number
  close: () => Promise<void>
}
