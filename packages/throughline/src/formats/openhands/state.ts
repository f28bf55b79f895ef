import { newSessionState, type SessionState } from '../conversation/session-state.ts'
import { madeParts, saidParts } from '../conversation/user-messages.ts'
import type { AssistantPart, ToolOutput } from '../../log/message.ts'
import type { FinishReason, Usage, Seq, TailItem } from '../../log/entry.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

const taskStart = '--------------------- NEW TASK DESCRIPTION ---------------------\n'
const taskEnd = '\n--------------------- END OF NEW TASK DESCRIPTION ---------------------'

/** A user's text, divided into what the human said and what the harness added. */
export function textParts(text: string): OriginPart[] {
  return behindExample(text) ?? saidParts(text)
}

/** For models without tools, the first task follows an example of how to write calls. */
export function behindExample(text: string): OriginPart[] | undefined {
  if (!text.startsWith("Here's a running example of how to perform a task")) return undefined
  const start = text.indexOf(taskStart) + taskStart.length
  const end = text.lastIndexOf(taskEnd)
  if (start < taskStart.length || end <= start) return undefined
  return [
    ...madeParts(text.slice(0, start)),
    ...saidParts(text.slice(start, end)),
    ...madeParts(text.slice(end)),
  ]
}

/** A reply that is being put together from its events. */
export interface OpenReply {
  event: ReplyEvent
  parts: AssistantPart[]
  events: EventId[]
  at: number
}

/** What is known while a session is read. */
export interface State extends SessionState {
  spans: Spans
  /** The reply that may still get calls, and the events that it was made of. */
  reply: OpenReply | undefined
  /** The newest reply's response, while its other events may come. */
  response: string | undefined
  /** How many agents are working for the one that owns this session. */
  delegations: number
  summary: string | undefined
  /** Whether a run was read: in a file with several, the session is that of the first. */
  run: boolean
}

export function newState(): State {
  const spans = newSpans()
  return {
    ...newSessionState((seq) => addSeq(spans, seq)),
    spans,
    reply: undefined,
    response: undefined,
    delegations: 0,
    summary: undefined,
    run: false,
  }
}

/** The common content of an event in any version of OpenHands. */
export type Event =
  | { type: 'system'; text: string }
  /** What stands in the user's role. */
  | { type: 'said'; parts: OriginPart[] }
  | ReplyEvent
  | ResultEvent
  | { type: 'condensation'; summary: string | undefined; forgets: (id: EventId) => boolean }
  /** Between these two, another agent works, whose events the model doesn't see. */
  | { type: 'delegation'; reply: ReplyEvent | undefined }
  | { type: 'delegation-end'; result: Event | undefined }
  /** Only for the user's page. */
  | { type: 'unseen' }

/** Numbers before version 1, texts since. */
export type EventId = number | string

export interface ResultEvent {
  type: 'result'
  toolCallId: string
  toolName: string | undefined
  output: ToolOutput
  /** What it is if the model made no such call. */
  otherwise?: Event
}

export interface ReplyEvent {
  type: 'reply'
  /** The model's response, which may produce several events. */
  response: string | undefined
  parts: AssistantPart[]
  /** Whether these are all parts of the response, so that its other events add nothing. */
  whole: boolean
  model: string | undefined
  usage: Usage | undefined
  finish?: FinishReason
}

/**
 * Entries that a condensation keeps or forgets together, and the events that they were made from.
 */
interface Span {
  events: EventId[]
  seqs: Seq[]
}

/** What is still in the context, oldest first. */
interface Spans {
  kept: Span[]
}

const mostKept = 500

function newSpans(): Spans {
  return { kept: [] }
}

export function startSpan(spans: Spans, event: EventId | undefined): void {
  spans.kept.push({ events: [], seqs: [] })
  addEvent(spans, event)
}

/** Adds one more event to the newest span. */
export function addEvent(spans: Spans, event: EventId | undefined): void {
  if (event !== undefined) spans.kept.at(-1)?.events.push(event)
}

function addSeq(spans: Spans, seq: Seq): void {
  spans.kept.at(-1)?.seqs.push(seq)
}

/** Removes what was forgotten, and returns the entries that are left. */
export function forget(spans: Spans, forgets: (event: EventId) => boolean): TailItem[] {
  const kept = spans.kept.filter(({ events }) => !events.some(forgets))
  spans.kept = kept.slice(-mostKept)
  return spans.kept.flatMap(({ seqs }) => seqs).map((seq) => ({ type: 'entry', seq }))
}
