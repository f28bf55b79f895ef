import { nameOf, type Fields } from '../../json/fields.ts'
import { readAction } from './read-action.ts'
import { readObservation } from './read-observation.ts'
import { readSdkEvent } from './read-sdk-event.ts'
import type { Event } from './event.ts'

/** An event of any version of OpenHands; `undefined` for a kind that is not known. */
export function readEvent(event: Fields): Event | undefined {
  if (nameOf(event['action'])) return readAction(event)
  if (nameOf(event['observation'])) return readObservation(event)
  return readSdkEvent(event)
}

const sources: ReadonlySet<unknown> = new Set(['agent', 'user', 'environment', 'hook'])

/** Whether a record is an event at all. */
export function isEvent(record: Fields): boolean {
  if (!sources.has(record['source'])) return false
  if (nameOf(record['action'])) return typeof record['args'] === 'object'
  if (nameOf(record['observation'])) return typeof record['content'] === 'string'
  const kind = nameOf(record['kind'])
  return kind !== undefined && /(?:Event|Observation|Condensation|Request)$/.test(kind)
}
