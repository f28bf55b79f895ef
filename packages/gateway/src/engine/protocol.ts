import type { CarriedError } from './errors.ts'
import type { FitFor } from '../sessions/live-session.ts'
import type { Fitted, Heard, Place, Wanted } from '../sessions/live-session.ts'
import type { Headers } from '../server/headers.ts'
import type { UpstreamRequest } from '../upstream/upstream.ts'
import type { Mark } from '../store/gateway-store.ts'
import type { OwnCall } from '../tools/tool-wire.ts'
import type { SessionEvent } from 'throughline'

export interface ThreadData {
  /** Where the logs are, if the thread can open them itself; else it asks for them. */
  folder: string | undefined
  /** Whether answers are kept where other replicas find them. */
  hears: boolean
}

export interface OpenedAs {
  /** Another one each time: one that was let go of still ends what it began. */
  opening: number
  wire: string
  summaryModel: string | false
  summaryTimeout: number | undefined
}

/** A conversation, as far as the thread does not have it yet. */
export interface SentConversation extends Omit<Wanted, 'elements' | 'body' | 'system' | 'tools'> {
  /** How many of the elements it has, and the others as JSON, one behind the other. */
  kept: number
  bytes: Uint8Array
  lengths: readonly number[]
  /** Which of those the client does not have. */
  hidden: readonly number[]
  /** Instructions and tools as JSON, unless they are those of the request before. */
  frame: string | undefined
}

/** What is sent, by the places of what is the client's own. */
export type CarriedItem = { own: number; count: number } | { made: number }

/** The same with what was made, as far as the list before did not have it, by its numbers. */
export interface CarriedFitted extends Omit<Fitted, 'list'> {
  list: CarriedItem[] | undefined
  made: [number: number, bytes: Uint8Array, marked: Uint8Array | undefined][]
}

/** How a session stands after what was done. */
export interface SessionState {
  place: Place | undefined
  threshold: number
  tokens: number
  isAsked: boolean
}

export type Work =
  | { what: 'fit'; conversation: SentConversation; for: FitFor }
  | { what: 'recover'; conversation: SentConversation; error: unknown }
  | { what: 'reply'; conversation: SentConversation; call: OwnCall }
  | { what: 'close' }

/** What a session hears before its next work. */
export type Told =
  | { what: 'answered' | 'answeredMeanwhile'; to: Mark; heard: Heard }
  | { what: 'used'; now: number }

export type Outcome = { value: unknown } | { error: CarriedError }

/** A question of the thread. */
export type Question =
  | { of: 'logs'; name: 'append' | 'read' | 'search' | 'sessions' | 'remove'; given: unknown[] }
  | { of: 'store'; name: 'heard' | 'heardOf'; given: unknown[] }
  | { of: 'upstream'; request: CarriedRequest }
  | { of: 'upstream'; givenUp: number }

export interface CarriedRequest extends Pick<UpstreamRequest, 'caller' | 'asks'> {
  method: string
  url: string
  headers: Headers
  body: Uint8Array
}

export interface CarriedAnswer {
  status: number
  headers: Headers
  body: Uint8Array
}

export type ToThread =
  | {
      is: 'work'
      number: number
      session: string
      as: OpenedAs
      told: readonly Told[]
      work?: Work
    }
  | ({ is: 'answer'; number: number } & Outcome)
  | { is: 'ping' }
  | { is: 'end' }

export type FromThread =
  | { is: 'ready' }
  | { is: 'pong' }
  | ({ is: 'done'; number: number; state: SessionState | undefined } & Outcome)
  | { is: 'question'; number: number; question: Question }
  | { is: 'event'; session: string; event: SessionEvent }
