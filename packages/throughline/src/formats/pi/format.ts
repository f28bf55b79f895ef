import { piTools } from './tools.ts'
import { fieldsOf, type Fields } from '../../json/fields.ts'
import { piReader } from './reader.ts'
import type { Format } from '../format.ts'

/** pi's sessions: one JSON entry a line, flat in version 1 and a tree of ids since. */
export const pi: Format = {
  name: 'pi',
  place: '~/.pi/agent/sessions/--<project>--/<time>_<session>.jsonl',
  tools: piTools,
  recognises: (records) =>
    records.some((value) => {
      const record = fieldsOf(value)
      return record !== undefined && isPi(record)
    }),
  reader: piReader,
}

function isPi(record: Fields): boolean {
  switch (record['type']) {
    case 'session': {
      const timed = typeof record['id'] === 'string' && typeof record['timestamp'] === 'string'
      return timed && !('externalId' in record)
    }
    case 'message': {
      const message = fieldsOf(record['message'])
      return roles.has(message?.['role']) && typeof message?.['timestamp'] === 'number'
    }
    default:
      return false
  }
}

const roles: ReadonlySet<unknown> = new Set(['user', 'assistant', 'toolResult', 'bashExecution'])
