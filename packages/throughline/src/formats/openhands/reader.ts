import {
  addResult,
  closeResults,
  giveEntries,
  giveReply,
  givingHeld,
} from '../conversation/conversation.ts'
import {
  compact,
  newSessionState,
  note,
  noteFirst,
  omit,
  pass,
  readEach,
  recordReader,
  tailOf,
  type SessionState,
} from '../conversation/session-state.ts'
import { fieldsOf, nameOf, timeOf, type Fields } from '../../json/fields.ts'
import { isEvent, type Event, type EventId, type ReplyEvent, type ResultEvent } from './event.ts'
import { readAction, readObservation } from './old-events.ts'
import { readSdkEvent } from './sdk-events.ts'
import { sourceOf } from '../conversation/parts.ts'
import { userMessages } from '../conversation/user-messages.ts'
import type { AssistantPart } from '../../log/message.ts'
import type { FormatReader } from '../format.ts'
import type { Seq } from '../../log/entry.ts'

/** What is known while a session is read. */
interface State extends SessionState {
  /** What is still in the context, oldest first. */
  spans: Span[]
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

/**
 * Entries that a condensation keeps or forgets together, and the events that they were made from.
 */
interface Span {
  events: EventId[]
  seqs: Seq[]
}

/** A reply that is being put together from its events. */
interface OpenReply {
  event: ReplyEvent
  parts: AssistantPart[]
  events: EventId[]
  at: number
}

/** A new reader for one session: its separate events, or a run that contains them. */
export function openhandsReader(): FormatReader {
  const state: State = {
    ...newSessionState((seq) => state.spans.at(-1)?.seqs.push(seq)),
    spans: [],
    reply: undefined,
    response: undefined,
    delegations: 0,
    summary: undefined,
    run: false,
  }
  return recordReader(state, readRecord, closeReply)
}

function readRecord(state: State, record: Fields): void {
  const { history, instance_id: id, metadata } = record
  if (!Array.isArray(history)) return readOne(state, record)
  if (state.run) return omit(state, 'other-session')
  state.run = true
  note(state, { id })
  noteFirst(state, { model: fieldsOf(fieldsOf(metadata)?.['llm_config'])?.['model'] })
  // The first versions wrote pairs of an action and its observation.
  readEach(state, history.flat(), readOne)
}

function readOne(state: State, record: Fields): void {
  const event = isEvent(record) ? readEvent(record) : undefined
  if (!event) return omit(state, 'unknown-record')
  state.at = eventTime(record['timestamp']) ?? state.at
  const { id } = record
  takeEvent(state, event, typeof id === 'number' || typeof id === 'string' ? id : undefined)
}

/** An event of any version of OpenHands; `undefined` for a kind that is not known. */
function readEvent(event: Fields): Event | undefined {
  if (nameOf(event['action'])) return readAction(event)
  return nameOf(event['observation']) ? readObservation(event) : readSdkEvent(event)
}

/**
 * An event's time. OpenHands writes no time zone, and the same file must mean the same everywhere.
 */
function eventTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return timeOf(value)
  const zoned = value.endsWith('Z') || /[+-]\d\d:?\d\d$/.test(value.slice(-6))
  return timeOf(zoned ? value : `${value}Z`)
}

/** Adds an event to what the model saw. */
function takeEvent(state: State, event: Event, id: EventId | undefined): void {
  switch (event.type) {
    case 'unseen':
      return pass(state)
    case 'delegation':
      pass(state)
      if (state.delegations++ === 0 && event.reply) readReply(state, event.reply, id)
      return
    case 'delegation-end':
      pass(state)
      state.delegations = Math.max(0, state.delegations - 1)
      if (event.result) takeEvent(state, event.result, id)
      return
  }
  if (state.delegations > 0) return omit(state, 'sidechain')
  switch (event.type) {
    case 'system':
      pass(state)
      return note(state, { system: event.text })
    case 'reply':
      return readReply(state, event, id)
    case 'result':
      return readResult(state, event, id)
    case 'said':
      return readSaid(state, event, id)
    case 'condensation':
      return condense(state, event)
  }
}

/** Events of one response are one reply; those of a complete one add only their ids. */
function readReply(state: State, event: ReplyEvent, id: EventId | undefined): void {
  const { reply } = state
  const events = id === undefined ? [] : [id]
  if (event.parts.length > 0) pass(state)
  if (event.response !== undefined && event.response === state.response) {
    if (event.whole && !reply) return addEvent(state, id)
    if (reply) {
      reply.events.push(...events)
      if (!event.whole) reply.parts.push(...event.parts)
      return
    }
  }
  closeReply(state)
  state.response = event.response
  state.reply = { event, parts: [...event.parts], events, at: state.at }
}

/** Adds the open reply: it gets no more calls. */
function closeReply(state: State): void {
  const { reply, conversation } = state
  if (!reply) return
  state.reply = undefined
  closeResults(conversation)
  const { at, parts, events } = reply
  state.spans.push({ events, seqs: [] })
  const { model, usage, finish, response } = reply.event
  note(state, { model })
  const source = { records: events.map(String), ...(response && { message: response }) }
  const said = { at, parts, model, usage, finish, metadata: { source } }
  givingHeld(conversation, () => {
    if (!giveReply(conversation, said)) omit(state, 'empty')
  })
}

/** Adds one more event to the newest span. */
function addEvent({ spans }: State, event: EventId | undefined): void {
  if (event !== undefined) spans.at(-1)?.events.push(event)
}

function readResult(state: State, event: ResultEvent, id: EventId | undefined): void {
  closeReply(state)
  const { toolCallId, toolName, output, otherwise } = event
  const { conversation, at } = state
  if (otherwise && !conversation.open.has(toolCallId)) return takeEvent(state, otherwise, id)
  addEvent(state, id)
  const record = id === undefined ? undefined : String(id)
  addResult(conversation, { at, toolCallId, toolName, output, record })
}

function readSaid(state: State, event: Event & { type: 'said' }, id: EventId | undefined): void {
  closeReply(state)
  if (event.parts.length === 0) return omit(state, 'empty')
  closeResults(state.conversation)
  state.spans.push({ events: [], seqs: [] })
  addEvent(state, id)
  state.response = undefined
  const source = id === undefined ? undefined : sourceOf(String(id))
  giveEntries(state.conversation, userMessages(event.parts, state.at, source))
}

const unwritten =
  'OpenHands left out a part of the session here. Its file contains no summary of it.'

const mostKept = 500

/** OpenHands keeps the last summary until there is another one. */
function condense(state: State, event: Event & { type: 'condensation' }): void {
  closeReply(state)
  closeResults(state.conversation)
  state.response = undefined
  state.summary = event.summary ?? state.summary
  const kept = state.spans.filter(({ events }) => !events.some(event.forgets))
  state.spans = kept.slice(-mostKept)
  compact(state, {
    by: 'openhands',
    label: 'OpenHands',
    summary: state.summary ?? unwritten,
    tail: tailOf(state.spans.flatMap(({ seqs }) => seqs)),
  })
}
