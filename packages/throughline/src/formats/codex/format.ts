import { codexTools } from './tools.ts'
import { fieldsOf } from '../../json/fields.ts'
import { codexReader } from './reader.ts'
import type { Format } from '../format.ts'

/** Codex's rollouts: one JSON record a line, each a type and its payload. */
export const codex: Format = {
  name: 'codex',
  place: '~/.codex/sessions/<year>/<month>/<day>/rollout-….jsonl',
  tools: codexTools,
  recognises: (records) =>
    records.some((value) => {
      const record = fieldsOf(value)
      return types.has(record?.['type']) && fieldsOf(record?.['payload']) !== undefined
    }),
  reader: codexReader,
}

const types: ReadonlySet<unknown> = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
])
