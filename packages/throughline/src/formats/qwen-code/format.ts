import { fieldsOf, type Fields } from '../../json/fields.ts'
import { qwenCodeReader } from './reader.ts'
import type { Format } from '../format.ts'

/** Qwen Code's sessions: one JSON record a line, linked by uuids, with messages as Gemini has them. */
export const qwenCode: Format = {
  name: 'qwen-code',
  place: '~/.qwen/projects/<project>/chats/<session>.jsonl',
  recognises: (records) =>
    records.some((value) => {
      const record = fieldsOf(value)
      return record !== undefined && isQwenCode(record)
    }),
  reader: qwenCodeReader,
}

function isQwenCode(record: Fields): boolean {
  if (typeof record['uuid'] !== 'string' || typeof record['sessionId'] !== 'string') return false
  switch (record['type']) {
    case 'user':
    case 'assistant':
    case 'tool_result':
      return Array.isArray(fieldsOf(record['message'])?.['parts'])
    case 'system':
      return 'systemPayload' in record
    default:
      return false
  }
}
