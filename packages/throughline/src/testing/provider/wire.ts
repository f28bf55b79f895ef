import type { Fields } from './refusal-body.ts'
import type { SaidPart } from './served-request.ts'
import type { Refusal } from './served-answer.ts'
import type { RefusalBody, RefusedRequest } from './refusal-body.ts'
import type { ScriptedAnswer } from '../scripted/scripted-answer.ts'

/** An API as it is sent over the network: one small file each, behind this one interface. */
export interface Wire {
  name: string
  /** Whether a request to this path uses this API. */
  serves: (path: string) => boolean
  said: (body: Fields) => SaidPart[]
  /** The names of the tools that a request offers. */
  tools: (body: Fields) => string[]
  /** Whether the answer should be streamed as events; `url` includes the query. */
  streams: (body: Fields, url: URL) => boolean
  events: (answer: WireAnswer) => WireEvent[]
  whole: (answer: WireAnswer) => unknown
  refusal: (refusal: Refusal, about: RefusedRequest) => RefusalBody
  /** How a stream that has begun ends in a rejection. */
  failure: (body: Fields, answer: WireAnswer) => WireEvent
  /** What is wrong with the messages of a request. */
  problems: (body: Fields) => string[]
  /** What an answer to this request is bound to, if the API binds its thinking. */
  seal?: (body: Fields) => string
  /** What is wrong with the thinking in a request, if the API binds it. */
  unbound?: (body: Fields) => string[]
  /** What calls of the current loop have no thinking before them, where the API demands it. */
  thoughtless?: (body: Fields) => string[]
}

/** The provider's answer, with nothing left open. */
export interface WireAnswer {
  /** Unlike those of other answers. */
  id: string
  model: string
  /** The text, in the pieces in which it is streamed. */
  chunks: readonly string[]
  reasoning: string
  /** The signature of the reasoning. */
  seal: string
  calls: readonly { id: string; name: string; input: unknown }[]
  finish: NonNullable<ScriptedAnswer['finish']>
  /** In tokens; none if the provider should report nothing. */
  usage: { input: number; output: number; cacheRead: number } | undefined
}

export interface WireEvent {
  /** The name of the event, if the API names events. */
  event?: string
  data: unknown
  /** A piece of text: a pace slows these down, and a break comes after the last one. */
  isText?: boolean
}
