import { omit } from '../conversation/session-state.ts'
import { someRecord } from '../reading/some-record.ts'
import { recordReader } from '../conversation/session-state.ts'
import { fieldsOf, objectsOf, nameOf, timeOf, countOf, listOf, textOf } from '../../json/fields.ts'
import { closeResults, addResult, giveEntries, giveReply } from '../conversation/conversation.ts'
import { give } from '../reading/grown-log.ts'
import { newState, addEvent, forget, startSpan, textParts } from './state.ts'
import { readObservation, imageParts } from './read-observation.ts'
import { readSdkEvent } from './read-sdk-event.ts'
import { called, finished, spoken } from './model-action.ts'
import { userMessages } from '../conversation/user-messages.ts'
import type { Fields } from '../../json/fields.ts'
import type { Format, FormatReader } from '../format.ts'
import type { State, Event, EventId, OpenReply, ReplyEvent, ResultEvent } from './state.ts'

/** Adds an event to what the model saw. */
function takeEvent(state: State, event: Event, id: EventId | undefined): void {
  if (event.type === 'delegation') return delegate(state, event.reply, id)
  if (event.type === 'delegation-end') return endDelegation(state, event.result, id)
  if (event.type === 'unseen') return
  if (state.delegations > 0) return omit(state, 'sidechain')
  switch (event.type) {
    case 'system':
      if (event.text !== '') state.facts.system = event.text
      return
    case 'reply':
      return readReply(state, event, id)
    case 'result':
      return readResult(state, event, id)
    case 'said':
      closeReply(state)
      return readSaid(state, event, id)
    case 'condensation':
      return condense(state, event)
  }
}

function delegate(state: State, reply: ReplyEvent | undefined, id: EventId | undefined): void {
  if (state.delegations === 0 && reply) readReply(state, reply, id)
  state.delegations++
}

function endDelegation(state: State, result: Event | undefined, id: EventId | undefined): void {
  state.delegations = Math.max(0, state.delegations - 1)
  if (result) takeEvent(state, result, id)
}

/** Events of one response are one reply; those of a complete one add only their ids. */
function readReply(state: State, event: ReplyEvent, id: EventId | undefined): void {
  const { reply } = state
  if (event.response !== undefined && event.response === state.response) {
    if (event.whole) return reply ? addReplyEvent(reply, id) : addEvent(state.spans, id)
    if (reply) {
      addReplyEvent(reply, id)
      reply.parts.push(...event.parts)
      return
    }
  }
  closeReply(state)
  state.response = event.response
  state.reply = { event, parts: [...event.parts], events: [], at: state.at }
  addReplyEvent(state.reply, id)
}

function addReplyEvent(reply: OpenReply, id: EventId | undefined): void {
  if (id !== undefined) reply.events.push(id)
}

/** Adds the open reply: it gets no more calls. */
function closeReply(state: State): void {
  const { reply, conversation, spans } = state
  if (!reply) return
  state.reply = undefined
  closeResults(conversation)
  startSpan(spans, undefined)
  for (const id of reply.events) addEvent(spans, id)
  const { model, usage, finish, response } = reply.event
  if (model) state.facts.model = model
  const metadata = {
    source: { records: reply.events.map(String), ...(response && { message: response }) },
  }
  const { at, parts } = reply
  const given = giveReply(conversation, { at, parts, model, usage, finish, metadata })
  if (!given) omit(state, 'empty')
}

function readResult(state: State, event: ResultEvent, id: EventId | undefined): void {
  closeReply(state)
  const { toolCallId, toolName, output, otherwise } = event
  if (otherwise && !state.conversation.open.has(toolCallId)) return takeEvent(state, otherwise, id)
  addEvent(state.spans, id)
  const record = id === undefined ? undefined : String(id)
  addResult(state.conversation, { at: state.at, toolCallId, toolName, output, record })
}

function readSaid(state: State, event: Event & { type: 'said' }, id: EventId | undefined): void {
  if (event.parts.length === 0) return omit(state, 'empty')
  closeResults(state.conversation)
  startSpan(state.spans, id)
  state.response = undefined
  const source = id === undefined ? undefined : { source: { records: [String(id)] } }
  giveEntries(state.conversation, userMessages(event.parts, state.at, source))
}

const unwritten =
  'OpenHands left out a part of the session here. Its file contains no summary of it.'

/** OpenHands keeps the last summary until there is another one. */
function condense(state: State, event: Event & { type: 'condensation' }): void {
  closeReply(state)
  closeResults(state.conversation)
  state.response = undefined
  state.summary = event.summary ?? state.summary
  give(state.drafts, {
    kind: 'checkpoint',
    at: state.at,
    base: state.drafts.given,
    summary: state.summary ?? unwritten,
    summarizer: 'openhands',
    tail: forget(state.spans, event.forgets),
    continuation: null,
    metadata: {},
  })
}

/** A new reader for one session: its separate events, or a run that contains them. */
function openhandsReader(): FormatReader {
  return recordReader(newState(), readRecord, (state) => {
    closeReply(state)
    closeResults(state.conversation)
  })
}

function readRecord(state: State, record: Fields): void {
  if (!Array.isArray(record['history'])) return readOne(state, record)
  if (state.run) return omit(state, 'other-session')
  state.run = true
  const id = nameOf(record['instance_id'])
  const configured = fieldsOf(fieldsOf(record['metadata'])?.['llm_config'])
  const model = nameOf(configured?.['model'])
  if (id) state.facts.id = id
  if (model) state.facts.model ??= model
  // The first versions wrote pairs of an action and its observation.
  for (const event of objectsOf(record['history'].flat())) readOne(state, event)
}

function readOne(state: State, record: Fields): void {
  const event = isEvent(record) ? readEvent(record) : undefined
  if (!event) return omit(state, 'unknown-record')
  state.at = eventTime(record['timestamp']) ?? state.at
  const { id } = record
  takeEvent(state, event, typeof id === 'number' || typeof id === 'string' ? id : undefined)
}

/**
 * An event's time. OpenHands writes no time zone, and the same file must mean the same everywhere.
 */
function eventTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return timeOf(value)
  const zoned = value.endsWith('Z') || /[+-]\d\d:?\d\d$/.test(value.slice(-6))
  return timeOf(zoned ? value : `${value}Z`)
}

/** OpenHands sessions: separate events, a list of them, or evaluation runs. */
export const openhands: Format = {
  name: 'openhands',
  place: 'a conversation’s events as JSON or JSON lines, or the output.jsonl of an evaluation',
  recognises: someRecord((record) => {
    const { history } = record
    const events = Array.isArray(history) ? objectsOf(history.flat()) : [record]
    return events.some(isEvent)
  }),
  reader: openhandsReader,
}

/** An event of any version of OpenHands; `undefined` for a kind that is not known. */
function readEvent(event: Fields): Event | undefined {
  if (nameOf(event['action'])) return readAction(event)
  if (nameOf(event['observation'])) return readObservation(event)
  return readSdkEvent(event)
}

const sources: ReadonlySet<unknown> = new Set(['agent', 'user', 'environment', 'hook'])

/** Whether a record is an event at all. */
function isEvent(record: Fields): boolean {
  if (!sources.has(record['source'])) return false
  if (nameOf(record['action'])) return typeof record['args'] === 'object'
  if (nameOf(record['observation'])) return typeof record['content'] === 'string'
  const kind = nameOf(record['kind'])
  return kind !== undefined && /(?:Event|Observation|Condensation|Request)$/.test(kind)
}

/** An action of OpenHands before version 1; `undefined` for a kind that is not known. */
function readAction(event: Fields): Event | undefined {
  const args = fieldsOf(event['args']) ?? {}
  const action = textOf(event['action']) ?? ''
  if (unseen.has(action)) return { type: 'unseen' }
  switch (action) {
    case 'system':
      return { type: 'system', text: textOf(args['content']) ?? '' }
    case 'condensation':
      return condensation(args)
    case 'message':
      return event['source'] === 'agent' ? spoken(event, args) : said(event, args)
    case 'finish':
    case 'reject':
      return event['source'] === 'agent' ? finished(event, args) : { type: 'unseen' }
    case 'delegate':
      return { type: 'delegation', reply: called(event, args, action) }
    case 'run':
      return event['source'] === 'user' ? userCommand(args) : called(event, args, action)
    default:
      return event['source'] === 'agent' ? called(event, args, action) : undefined
  }
}

const unseen: ReadonlySet<string> = new Set([
  'recall',
  'change_agent_state',
  'null',
  'condensation_request',
  'pause',
  'resume',
  'stop',
  'initialize',
  'start',
  'push',
  'send_pr',
  'loop_recovery',
])

function said(event: Fields, args: Fields): Event {
  const texts = textParts(textOf(args['content']) ?? '')
  const images = imageParts(args['image_urls'])
  const harness = event['source'] !== 'user'
  const parts = harness ? texts.map(({ part }) => ({ origin: 'harness' as const, part })) : texts
  return { type: 'said', parts: [...parts, ...images] }
}

function userCommand(args: Fields): Event {
  const text = `User executed the command:\n${textOf(args['command']) ?? ''}`
  return { type: 'said', parts: textParts(text) }
}

function condensation(args: Fields): Event {
  const ids = new Set(listOf(args['forgotten_event_ids']))
  const first = countOf(args['forgotten_events_start_id'])
  const last = countOf(args['forgotten_events_end_id'])
  const forgets = (id: EventId): boolean =>
    ids.has(id) ||
    (typeof id === 'number' &&
      first !== undefined &&
      last !== undefined &&
      id >= first &&
      id <= last)
  return { type: 'condensation', summary: textOf(args['summary']), forgets }
}
