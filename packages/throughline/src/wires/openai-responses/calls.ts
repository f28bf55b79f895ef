import { fieldsOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { readArguments, writeArguments } from '../arguments.ts'
import { restOf, notesUnder } from '../note.ts'
import type { ToolCallPart, ProviderOptions } from '../../log/message.ts'

/**
 * An item of the Responses API's input or output, as far as Throughline reads it:
 * `ResponseInputItem` and `ResponseOutputItem`.
 */
export interface ResponsesItem {
  type?: string | null
}

/** What the Responses API has beyond our own shape. */
export const notes = notesUnder('openai-responses')

/**
 * An item's id, in the place where the AI SDK also keeps it. The engine leaves it out if the
 * content before the item has changed, because it names a stored item and needs the reasoning that
 * came with it.
 */
export function withItemId(id: unknown): ProviderOptions {
  return typeof id === 'string' ? { openai: { itemId: id } } : {}
}

/** The field of an item's id; nothing if it is gone. */
export function itemId(part: { providerOptions?: ProviderOptions | undefined }): Fields {
  const id = textOf(fieldsOf(part.providerOptions?.['openai'])?.['itemId'])
  return id === undefined ? {} : { id }
}

/** Whether somebody other than the provider has to return its result, in a separate item. */
export function isFunctionCall(item: Fields): boolean {
  if (item['type'] === 'mcp_approval_request') return nameOf(item['id']) !== undefined
  return nameOf(item['call_id']) !== undefined && textOf(item['type'])?.endsWith('_call') === true
}

/** A call with everything in its item. */
export function readCall(item: Fields): ToolCallPart {
  const { type, id, name } = item
  if (type === 'mcp_approval_request') {
    return {
      ...callPart(nameOf(id) ?? '', nameOf(name) ?? 'mcp', item['arguments']),
      ...notes.with({ form: 'approval', rest: restOf(item, ['id', 'type']) }),
    }
  }
  const toolCallId = nameOf(item['call_id']) ?? ''
  const toolName = nameOf(name)
  const said = ['call_id', ...(typeof id === 'string' ? ['id'] : [])]
  if (type === 'function_call' && toolName !== undefined) {
    const { input, ...noted } = readArguments(item['arguments'])
    const rest = restOf(item, [...said, 'type', 'name', 'arguments'])
    return {
      ...callPart(toolCallId, toolName, input),
      ...notes.with({ ...noted, rest }, withItemId(id)),
    }
  }
  const input = textOf(item['input'])
  if (type === 'custom_tool_call' && toolName !== undefined && input !== undefined) {
    const rest = restOf(item, [...said, 'type', 'name', 'input'])
    return {
      ...callPart(toolCallId, toolName, input),
      ...notes.with({ form: 'custom', rest }, withItemId(id)),
    }
  }
  return builtInCall(item, toolCallId)
}

/** The fields that hold the instructions for tools that OpenAI defines. */
const payloads = ['action', 'operation', 'arguments']

/** A call of a tool that OpenAI defines, and the client runs. */
function builtInCall(item: Fields, toolCallId: string): ToolCallPart {
  const payload = payloads.find((name) => item[name] !== undefined)
  const toolName = (textOf(item['type']) ?? '').replace(/_call$/, '')
  const input = payload === undefined ? {} : item[payload]
  const said = ['call_id', ...(payload === undefined ? [] : [payload])]
  return {
    ...callPart(toolCallId, toolName, input),
    ...notes.with({ form: 'built-in', payload, rest: restOf(item, said) }),
  }
}

function callPart(toolCallId: string, toolName: string, input: unknown): ToolCallPart {
  return { type: 'tool-call', toolCallId, toolName, input }
}

export function writeCall(part: ToolCallPart): Fields {
  const { toolCallId: call_id, toolName: name, input } = part
  const noted = notes.of(part)
  const others = fieldsOf(noted['rest'])
  const payload = nameOf(noted['payload'])
  switch (noted['form']) {
    case 'approval':
      return { type: 'mcp_approval_request', id: call_id, ...others }
    case 'custom':
      return { type: 'custom_tool_call', ...itemId(part), call_id, name, input, ...others }
    case 'built-in':
      return { call_id, ...(payload !== undefined && { [payload]: input }), ...others }
    default:
      return {
        type: 'function_call',
        ...itemId(part),
        call_id,
        name,
        ...writeArguments(input, noted),
        ...others,
      }
  }
}
