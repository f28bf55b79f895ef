import { addResult, closeResults, giveEntries, giveReply } from '../conversation/conversation.ts'
import { give } from '../reading/draft-queue.ts'
import { userMessages } from '../conversation/user-messages.ts'
import {
  addEvent,
  forget,
  startSpan,
  omit,
  type OpenReply,
  type State,
  type Event,
  type EventId,
  type ReplyEvent,
  type ResultEvent,
} from './state.ts'

/** Adds an event to what the model saw. */
export function takeEvent(state: State, event: Event, id: EventId | undefined): void {
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
export function closeReply(state: State): void {
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
