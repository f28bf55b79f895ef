import { isEvent } from './event.ts'
import { objectsOf } from '../../json/fields.ts'
import { openhandsReader } from './reader.ts'
import { someRecord } from '../reading/some-record.ts'
import type { Format } from '../format.ts'

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
