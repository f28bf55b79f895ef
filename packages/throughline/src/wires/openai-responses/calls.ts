import { fieldsOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { itemId, notes, withItemId } from './notes.ts'
import { readArguments, writeArguments } from '../arguments.ts'
import { restOf } from '../note.ts'
import type { ToolCallPart } from '../../log/message.ts'

/** Whether somebody but the provider has to give its result, in an item of its own. */
export function isFunctionCall(item: Fields): boolean {
  if (item['type'] === 'mcp_approval_request') return nameOf(item['id']) !== undefined
  return nameOf(item['call_id']) !== undefined && String(item['type']).endsWith('_call')
}

/** A call with all that its item says. */
export function readCall(item: Fields): ToolCallPart {
  const { type, id, name, arguments: text } = item
  if (type === 'mcp_approval_request') {
    return {
      ...callPart(nameOf(id) ?? '', nameOf(name) ?? 'mcp', item['arguments']),
      ...notes.with({ form: 'approval', rest: restOf(item, ['id', 'type']) }),
    }
  }
  const toolCallId = nameOf(item['call_id']) ?? ''
  const toolName = nameOf(name)
  const said = ['call_id', ...(typeof id === 'string' ? ['id'] : [])]
  if (type === 'function_call' && toolName !== undefined && typeof text === 'string') {
    const { input, ...noted } = readArguments(text)
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
  // A call of a tool that OpenAI defines: what it is to do stands in fields of its own.
  const { type: _, call_id: __, id: ___, status, ...action } = item
  return {
    ...callPart(toolCallId, String(type).replace(/_call$/, ''), action),
    ...notes.with({ form: 'built-in', type, id, status }),
  }
}

function callPart(toolCallId: string, toolName: string, input: unknown): ToolCallPart {
  return { type: 'tool-call', toolCallId, toolName, input }
}

export function writeCall(part: ToolCallPart): Fields {
  const { toolCallId: call_id, toolName: name, input } = part
  const { form, arguments: came, rest, type, id, status } = notes.of(part)
  const others = fieldsOf(rest)
  switch (form) {
    case 'approval':
      return { type: 'mcp_approval_request', id: call_id, ...others }
    case 'custom':
      return { type: 'custom_tool_call', ...itemId(part), call_id, name, input, ...others }
    case 'built-in':
      return {
        type,
        ...(id !== undefined && { id }),
        call_id,
        ...fieldsOf(input),
        ...(status !== undefined && { status }),
      }
    default:
      return {
        type: 'function_call',
        ...itemId(part),
        call_id,
        name,
        arguments: writeArguments(input, came),
        ...others,
      }
  }
}
