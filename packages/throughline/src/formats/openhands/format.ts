import { fieldsOf, objectsOf } from '../../json/fields.ts'
import { isEvent } from './read-event.ts'
import { openhandsReader } from './reader.ts'
import type { Format } from '../format.ts'

/** Sessions of OpenHands: events one by one, a list of them, or runs of an evaluation. */
export const openhands: Format = {
  name: 'openhands',
  place: 'the events of a conversation as JSON or JSON lines, or output.jsonl of an evaluation',
  recognises: (records) =>
    records.some((value) => {
      const record = fieldsOf(value)
      const { history } = record ?? {}
      const events = Array.isArray(history) ? objectsOf(history.flat()) : record ? [record] : []
      return events.some(isEvent)
    }),
  reader: openhandsReader,
}
