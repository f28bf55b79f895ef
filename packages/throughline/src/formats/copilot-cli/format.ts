import { copilotCliTools } from './tools.ts'
import { fieldsOf } from '../../json/fields.ts'
import { copilotCliReader } from './reader.ts'
import type { Format } from '../format.ts'

/** GitHub Copilot CLI's sessions: one event a line, each a type and its data. */
export const copilotCli: Format = {
  name: 'copilot-cli',
  place: '~/.copilot/session-state/<session>/events.jsonl',
  tools: copilotCliTools,
  recognises: (records) =>
    records.some((value) => {
      const record = fieldsOf(value)
      return types.has(record?.['type']) && fieldsOf(record?.['data']) !== undefined
    }),
  reader: copilotCliReader,
}

const types: ReadonlySet<unknown> = new Set([
  'session.start',
  'session.resume',
  'session.model_change',
  'session.compaction_complete',
  'system.message',
  'user.message',
  'assistant.message',
  'assistant.turn_start',
  'tool.execution_start',
  'tool.execution_complete',
])
