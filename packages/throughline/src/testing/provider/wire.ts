import type { SaidPart } from './served-request.ts'
import type { ScriptedAnswer } from '../scripted-answer.ts'

export type Fields = Readonly<Record<string, unknown>>

/** An API as it goes over the wire: one small file each, on this one interface. */
export interface Wire {
  name: string
  /** Whether a request to this path is of this API. */
  serves: (path: string) => boolean
  said: (body: Fields) => SaidPart[]
  /** The names of the tools that a request offers. */
  tools: (body: Fields) => string[]
  /** Whether the answer is to come in events; `url` has the query. */
  streams: (body: Fields, url: URL) => boolean
  events: (answer: WireAnswer) => WireEvent[]
  whole: (answer: WireAnswer) => unknown
}

/** What the provider says, with nothing left open. */
export interface WireAnswer {
  /** Unlike those of other answers. */
  id: string
  model: string
  /** The text, in the pieces in which it is streamed. */
  chunks: readonly string[]
  reasoning: string
  calls: readonly { id: string; name: string; input: unknown }[]
  finish: NonNullable<ScriptedAnswer['finish']>
  /** In tokens; none where the provider is to report nothing. */
  usage: { input: number; output: number; cacheRead: number } | undefined
}

export interface WireEvent {
  /** The name of the event, where the API names them. */
  event?: string
  data: unknown
  /** A piece of text: a pace slows these down, and a break comes behind the last one. */
  isText?: boolean
}
