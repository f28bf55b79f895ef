import {
  AIMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages'
import type { Reading } from '../reading.ts'
import { fieldsOf, listOf, type Fields } from '../../json/fields.ts'

const everywhere = ['content', 'id', 'name', 'additional_kwargs', 'response_metadata']

const fieldsByType: ReadonlyMap<string, readonly string[]> = new Map([
  ['human', everywhere],
  ['system', everywhere],
  ['function', everywhere],
  ['generic', [...everywhere, 'role']],
  ['ai', [...everywhere, 'tool_calls', 'invalid_tool_calls', 'usage_metadata']],
  ['tool', [...everywhere, 'tool_call_id', 'status', 'artifact', 'metadata']],
])

/** The fields of a message that say something, as plain data; `type` is its kind. None of what is no message. */
export function readFields(
  message: BaseMessage,
  place: string,
  reading: Reading,
): Fields | undefined {
  const type = message.getType()
  const names = fieldsByType.get(type)
  if (!names) {
    const problem = `a message of type ${JSON.stringify(type)} is not part of a conversation`
    reading.misfit({ place, problem, reason: 'unknown-record' })
    return undefined
  }
  const given = message as unknown as Fields
  const said = names.flatMap((name) => (isEmpty(given[name], name) ? [] : [[name, given[name]]]))
  const fields = reading.fields(Object.fromEntries(said), place)
  return fields && { ...fields, type }
}

/** The names of all fields that reading looks at. */
export function fieldsRead(message: BaseMessage): readonly string[] {
  return fieldsByType.get(message.getType()) ?? []
}

const emptyByItself = new Set(['additional_kwargs', 'response_metadata'])
const noneByItself = new Set(['tool_calls', 'invalid_tool_calls'])

/** A message's own fields. */
function isEmpty(value: unknown, name: string): boolean {
  if (noneByItself.has(name)) return listOf(value).length === 0
  return (
    value === undefined ||
    (emptyByItself.has(name) && Object.keys(fieldsOf(value) ?? {}).length === 0)
  )
}

/** A message with these fields. */
export function writeFields({ type, ...given }: Fields): BaseMessage {
  const fields = given as never
  switch (type) {
    case 'ai': {
      const { tool_calls = [], invalid_tool_calls = [] } = given
      return new AIMessage({ ...given, tool_calls, invalid_tool_calls } as never)
    }
    case 'system':
      return new SystemMessage(fields)
    case 'tool':
      return new ToolMessage(fields)
    case 'function':
      return new FunctionMessage(fields)
    case 'generic':
      return new ChatMessage(fields)
    default:
      return new HumanMessage(fields)
  }
}
