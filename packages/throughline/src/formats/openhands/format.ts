import {
  fieldsOf,
  objectsOf,
  nameOf,
  type Fields,
  timeOf,
  countOf,
  listOf,
  textOf,
} from '../../json/fields.ts'
import type { Format, FormatReader } from '../format.ts'
import { closeResults } from '../conversation/conversation.ts'
import { takeReady } from '../reading/draft-queue.ts'
import { newState, omit, type State, type Event, type EventId } from './state.ts'
import { closeReply, takeEvent } from './take-event.ts'
import { readObservation, imageParts } from './read-observation.ts'
import { readSdkEvent } from './read-sdk-event.ts'
import { called, finished, spoken } from './model-action.ts'
import { textParts } from './origin.ts'

/** A new reader for one session: its separate events, or a run that contains them. */
function openhandsReader(): FormatReader {
  const state = newState()
  return {
    push(value) {
      const record = fieldsOf(value)
      if (record) readRecord(state, record)
      return takeReady(state.drafts)
    },
    end() {
      closeReply(state)
      closeResults(state.conversation)
      return takeReady(state.drafts)
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
  recognises: (records) =>
    records.some((value) => {
      const record = fieldsOf(value)
      const { history } = record ?? {}
      const events = Array.isArray(history) ? objectsOf(history.flat()) : record ? [record] : []
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
