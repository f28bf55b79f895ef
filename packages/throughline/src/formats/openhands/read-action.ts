import { countOf, fieldsOf, listOf, textOf, type Fields } from '../../json/fields.ts'
import { imageParts } from './images.ts'
import { called, finished, spoken } from './model-action.ts'
import { textParts } from './origin.ts'
import type { Event, EventId } from './event.ts'

/** An action of OpenHands before version 1; `undefined` for a kind that is not known. */
export function readAction(event: Fields): Event | undefined {
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
