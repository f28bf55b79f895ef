import { claudeCodeTools } from './tools.ts'
import { fieldsOf, type Fields } from '../../json/fields.ts'
import { claudeCodeReader } from './reader.ts'
import type { Format } from '../format.ts'

/** Claude Code's transcripts: one JSON record a line, linked by uuids. */
export const claudeCode: Format = {
  name: 'claude-code',
  place: '~/.claude/projects/<project>/<session>.jsonl',
  tools: claudeCodeTools,
  recognises: (records) =>
    records.some((value) => {
      const record = fieldsOf(value)
      return record !== undefined && isClaudeCode(record)
    }),
  reader: claudeCodeReader,
}

function isClaudeCode(record: Fields): boolean {
  switch (record['type']) {
    case 'user':
    case 'assistant': {
      const content = fieldsOf(record['message'])?.['content']
      const linked = 'parentUuid' in record || typeof record['uuid'] === 'string'
      return linked && (typeof content === 'string' || Array.isArray(content))
    }
    case 'system':
      // Qwen Code's records are much like these.
      if ('systemPayload' in record) return false
      return typeof record['subtype'] === 'string' && 'parentUuid' in record
    case 'attachment':
      return fieldsOf(record['attachment']) !== undefined && 'parentUuid' in record
    case 'progress':
      return fieldsOf(record['data']) !== undefined && 'parentUuid' in record
    case 'file-history-snapshot':
      return fieldsOf(record['snapshot']) !== undefined
    case 'summary':
      return typeof record['summary'] === 'string' && typeof record['leafUuid'] === 'string'
    case 'queue-operation':
      return typeof record['operation'] === 'string' && typeof record['sessionId'] === 'string'
    default:
      return false
  }
}
