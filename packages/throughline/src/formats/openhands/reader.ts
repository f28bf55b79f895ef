import { closeResults } from '../conversation/conversation.ts'
import { takeReady } from '../reading/draft-queue.ts'
import { fieldsOf, nameOf, objectsOf, type Fields } from '../../json/fields.ts'
import { eventTime } from './event-time.ts'
import { isEvent, readEvent } from './read-event.ts'
import { newState, omit, type State } from './state.ts'
import { closeReply, takeEvent } from './take-event.ts'
import type { FormatReader } from '../format.ts'

/** A fresh reader for one session: its events one by one, or a run that holds them. */
export function openhandsReader(): FormatReader {
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
