import type { Conversation } from 'throughline/conversation'
import type { HeadQuestion } from 'throughline/hosts'
import type { SessionOptions, Usage } from 'throughline'
import type { Said } from '../identity/said.ts'
import type { Fields } from '../body/json.ts'
import type { ToolWire } from '../tools/tool-wire.ts'

/** The providers' APIs that a gateway speaks; each has an upstream of its own. */
export const apis = ['openai', 'anthropic', 'gemini'] as const

export type Api = (typeof apis)[number]

/** What a request asks for by its path. */
export interface Route {
  /** An answer of the model, or the number of tokens of the request. */
  asks: 'answer' | 'count'
  /** Where the path names the model. */
  model?: string
  /** Where the path says whether the answer comes as a stream. */
  streams?: boolean
}

/** What a request says besides its conversation. */
export interface Asked {
  model: string
  /** What else may be asked in its place, where a router is told so. */
  others?: readonly string[]
  streams: boolean
  /** The instructions that stand outside of the conversation. */
  system: unknown
  tools: unknown
  /** The output that the client leaves room for, in tokens, if it says so. */
  output?: number
  /** Where a part of the conversation is kept by the provider: then there is nothing to follow. */
  elsewhere: boolean
}

/** A conversation of the engine over any of the APIs. */
export type Talk = Conversation<object, never>

type AnswerEvent =
  /** Nothing has been said yet: the request may still be refused. */
  { is: 'beginning' } | { is: 'content' } | { is: 'failure'; error: unknown }

interface SummaryRequest {
  path: string
  search?: string
  body: Fields
}

/** The text of a summary, why it ended, and what it cost. */
interface SummaryText {
  text: string
  finish: 'stop' | 'length' | 'tool-calls' | 'other'
  usage?: Usage
}

/** One API, as far as a gateway must understand it. What it does not understand is forwarded. */
export interface Wire {
  readonly name: string
  readonly api: Api
  /** The field of the body that holds the conversation. */
  readonly list: string
  /** How it tells of tools and their calls. */
  readonly tools: ToolWire
  /** `undefined` if the path is not of this API's model. */
  route: (path: string) => Route | undefined
  /** `field` reads a field of the body by its name. */
  read: (field: (name: string) => unknown, route: Route) => Asked
  /** What an element of the list says, whatever its form. */
  said: (element: Fields) => Said
  open: (options: SessionOptions) => Promise<Talk>
  /** The instructions as one text, for their size. */
  systemText: (system: unknown) => string | undefined
  /** What an event of a stream means; a whole answer is its only event. */
  event: (event: Fields) => AnswerEvent
  /** The usage that an event or a whole answer tells of, with what was known of it before. */
  usage: (event: Fields, before?: Usage) => Usage | undefined
  summary: (
    question: HeadQuestion,
    asked: { model: string; path: string; fields: Fields },
  ) => SummaryRequest
  /** Reads the answer to it: all of its events, or the one that a whole answer is. */
  summaryText: (events: readonly Fields[]) => SummaryText
}

/** What {@link Wire.summary} reads of a request. */
export const summaryFields = ['max_tokens']

/** Whether a path ends so, whatever a proxy has put before it. */
export function endsWith(path: string, ...ends: readonly string[]): boolean {
  const plain = path.replace(/\/+$/, '')
  return ends.some((end) => plain === end || plain.endsWith(`/${end}`))
}

export function textsIn(blocks: readonly Fields[]): string {
  return blocks
    .flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : []))
    .join('\n\n')
}
