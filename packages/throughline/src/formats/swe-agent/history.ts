import { fieldsOf, listOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import type { SessionFacts } from '../format.ts'

/** The messages of a run; `undefined` if the record is none. */
export function historyOf(record: Fields): readonly unknown[] | undefined {
  if (isMini(record)) return listOf(record['messages'])
  if (Array.isArray(record['history']) && Array.isArray(record['trajectory'])) {
    return record['history']
  }
  // Where every attempt was refused, none of them stands beside the others.
  const attempt = fieldsOf(listOf(record['attempts']).at(-1))
  return attempt && Array.isArray(attempt['trajectory']) ? listOf(attempt['history']) : undefined
}

function isMini(record: Fields): boolean {
  return (
    Array.isArray(record['messages']) &&
    (nameOf(record['trajectory_format'])?.startsWith('mini-swe-agent') === true ||
      typeof fieldsOf(record['info'])?.['mini_version'] === 'string')
  )
}

/** What a run says of itself. */
export function factsOf(record: Fields): SessionFacts {
  const config = fieldsOf(fieldsOf(record['info'])?.['config'])
  const replay = fieldsOf(inText(record['replay_config']))
  const agent = fieldsOf(replay?.['agent'])
  const first = fieldsOf(listOf(record['trajectory'])[0])
  const state = fieldsOf(inText(first?.['state']))
  const named =
    nameOf(fieldsOf(agent?.['model'])?.['name']) ??
    nameOf(fieldsOf(config?.['model'])?.['model_name'])
  const model = named !== undefined && noModels.has(named) ? undefined : named
  const directory =
    nameOf(state?.['working_dir']) ?? nameOf(fieldsOf(config?.['environment'])?.['cwd'])
  const id = nameOf(record['instance_id'])
  return { ...(id && { id }), ...(model && { model }), ...(directory && { directory }) }
}

/** Names under which SWE-agent runs without a model. */
const noModels: ReadonlySet<string> = new Set([
  'replay',
  'human',
  'human_thought',
  'instant_empty_submit',
])

/** Some versions write objects as JSON in a text. */
function inText(value: unknown): unknown {
  const text = textOf(value)
  if (text === undefined) return value
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
