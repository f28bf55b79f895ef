import {
  addResult,
  closeResults,
  giveEntries,
  giveReply,
  newConversation,
} from '../conversation.ts'
import { draftQueue, give, takeReady, type DraftQueue } from '../draft-queue.ts'
import { fieldsOf, nameOf, objectsOf, type Fields } from '../fields.ts'
import { userMessages } from '../user-messages.ts'
import { eventTime } from './event-time.ts'
import { isEvent, readEvent } from './read-event.ts'
import { addEvent, addSeq, forget, newSpans, startSpan, type Spans } from './spans.ts'
import type { Conversation } from '../conversation.ts'
import type { FormatReader, SessionFacts } from '../format.ts'
import type { Event, EventId, ReplyEvent, ResultEvent } from './event.ts'

interface State {
  drafts: DraftQueue
  facts: SessionFacts
  omitted: Record<string, number>
  conversation: Conversation
  spans: Spans
  at: number
  /** The reply that may still get calls, and the events that it was made of. */
  reply: { event: ReplyEvent; events: EventId[]; at: number } | undefined
  /** The newest reply's response, while its other events may come. */
  response: string | undefined
  /** How many agents work for the one whose session this is. */
  delegations: number
  summary: string | undefined
  /** Whether a run was read: a file of several holds the session of the first. */
  run: boolean
}

/** A fresh reader for one session: its events one by one, or a run that holds them. */
export function openhandsReader(): FormatReader {
  const drafts = draftQueue()
  const spans = newSpans()
  const conversation = newConversation((draft) => addSeq(spans, give(drafts, draft)))
  const state: State = {
    drafts,
    facts: {},
    omitted: {},
    conversation,
    spans,
    at: 0,
    reply: undefined,
    response: undefined,
    delegations: 0,
    summary: undefined,
    run: false,
  }
  return {
    push(value) {
      const record = fieldsOf(value)
      if (record) readRecord(state, record)
      return takeReady(drafts)
    },
    end() {
      closeReply(state)
      closeResults(conversation)
      return takeReady(drafts)
    },
    facts: () => ({
      ...state.facts,
      ...(Object.keys(state.omitted).length > 0 && { omitted: { ...state.omitted } }),
    }),
  }
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
  take(state, event, typeof id === 'number' || typeof id === 'string' ? id : undefined)
}

function take(state: State, event: Event, id: EventId | undefined): void {
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
  if (result) take(state, result, id)
}

/** Events of one response are one reply; those of a whole one add nothing but their ids. */
function readReply(state: State, event: ReplyEvent, id: EventId | undefined): void {
  const { reply } = state
  if (event.response !== undefined && event.response === state.response) {
    if (event.whole) return reply ? addReplyEvent(reply, id) : addEvent(state.spans, id)
    if (reply) {
      addReplyEvent(reply, id)
      reply.event = { ...reply.event, parts: [...reply.event.parts, ...event.parts] }
      return
    }
  }
  closeReply(state)
  state.response = event.response
  state.reply = { event, events: id === undefined ? [] : [id], at: state.at }
}

function addReplyEvent(reply: { events: EventId[] }, id: EventId | undefined): void {
  if (id !== undefined) reply.events.push(id)
}

function closeReply(state: State): void {
  const { reply, conversation, spans } = state
  if (!reply) return
  state.reply = undefined
  closeResults(conversation)
  startSpan(spans, undefined)
  for (const id of reply.events) addEvent(spans, id)
  const { parts, model, usage, finish, response } = reply.event
  if (model) state.facts.model = model
  const metadata = {
    source: { records: reply.events.map(String), ...(response && { message: response }) },
  }
  const { at } = reply
  const given = giveReply(conversation, { at, parts, model, usage, finish, metadata })
  if (!given) omit(state, 'empty')
}

function readResult(state: State, event: ResultEvent, id: EventId | undefined): void {
  closeReply(state)
  const { toolCallId, toolName, output, otherwise } = event
  if (otherwise && !state.conversation.open.has(toolCallId)) return take(state, otherwise, id)
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

const unwritten = 'OpenHands left out a part of the session here. Its file holds no summary of it.'

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

function omit({ omitted }: State, reason: string): void {
  omitted[reason] = (omitted[reason] ?? 0) + 1
}
