import { fieldsOf, nameOf, textOf, type Fields } from '../../../json/fields.ts'
import { MessageConversionError } from '../../shapes/errors.ts'
import { notes } from './notes.ts'
import { readArguments, writeArguments } from '../arguments.ts'
import { restOf } from '../../shapes/note.ts'
import type { ToolCallPart } from '../../../log/message.ts'

/** The API's older calls have no id: there is one at a time. */
export const functionCallId = 'function_call'

/** @throws MessageConversionError if the call has no id. */
export function readCall(call: Fields, place: string): ToolCallPart {
  const toolCallId = nameOf(call['id'])
  if (toolCallId === undefined) {
    throw new MessageConversionError({ place, problem: 'a call without an id has no result' })
  }
  return (
    functionCall(call, toolCallId) ?? customCall(call, toolCallId) ?? otherCall(call, toolCallId)
  )
}

function functionCall(call: Fields, toolCallId: string): ToolCallPart | undefined {
  const inner = fieldsOf(call['function'])
  const toolName = nameOf(inner?.['name'])
  const text = textOf(inner?.['arguments'])
  if (!inner || toolName === undefined || text === undefined) return undefined
  const { input, ...noted } = readArguments(text)
  const rest = restOf(call, ['id', 'function', ...(call['type'] === 'function' ? ['type'] : [])])
  return {
    type: 'tool-call',
    toolCallId,
    toolName,
    input,
    ...notes.with({
      ...noted,
      rest,
      inner: restOf(inner, ['name', 'arguments']),
      ...(call['type'] === undefined && { form: 'untyped' }),
    }),
  }
}

function customCall(call: Fields, toolCallId: string): ToolCallPart | undefined {
  const inner = fieldsOf(call['custom'])
  const toolName = nameOf(inner?.['name'])
  const input = textOf(inner?.['input'])
  if (call['type'] !== 'custom' || !inner) return undefined
  if (toolName === undefined || input === undefined) return undefined
  const noted = notes.with({
    form: 'custom',
    rest: restOf(call, ['id', 'custom', 'type']),
    inner: restOf(inner, ['name', 'input']),
  })
  return { type: 'tool-call', toolCallId, toolName, input, ...noted }
}

function otherCall(call: Fields, toolCallId: string): ToolCallPart {
  const { id: _, type = 'unknown', ...input } = call
  const toolName = String(type)
  return {
    type: 'tool-call',
    toolCallId,
    toolName,
    input,
    ...notes.with({ form: 'other', named: call['type'] }),
  }
}

/** The older call, of which an answer has one at most. */
export function readFunctionCall(call: Fields): ToolCallPart | undefined {
  const toolName = nameOf(call['name'])
  const text = textOf(call['arguments'])
  if (toolName === undefined || text === undefined) return undefined
  const { input, ...noted } = readArguments(text)
  const rest = restOf(call, ['name', 'arguments'])
  return {
    type: 'tool-call',
    toolCallId: functionCallId,
    toolName,
    input,
    ...notes.with({ ...noted, form: 'function_call', rest }),
  }
}

export function isFunctionCall(part: ToolCallPart): boolean {
  return notes.of(part)['form'] === 'function_call'
}

export function writeFunctionCall(part: ToolCallPart): Fields {
  const { arguments: came, rest } = notes.of(part)
  return { name: part.toolName, arguments: writeArguments(part.input, came), ...fieldsOf(rest) }
}

export function writeCall(part: ToolCallPart): Fields {
  const { toolCallId: id, toolName: name, input } = part
  const { form, arguments: came, rest, inner, named } = notes.of(part)
  const [others, more] = [fieldsOf(rest), fieldsOf(inner)]
  if (form === 'other') {
    return { id, ...(named !== undefined && { type: named }), ...fieldsOf(input) }
  }
  if (form === 'custom') return { id, type: 'custom', custom: { name, input, ...more }, ...others }
  return {
    id,
    ...(form !== 'untyped' && { type: 'function' }),
    function: { name, arguments: writeArguments(input, came), ...more },
    ...others,
  }
}
