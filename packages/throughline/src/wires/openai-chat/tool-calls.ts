import { fieldsOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { notes } from './message.ts'
import { olderForm, type OlderCalls } from '../older-calls.ts'
import { readArguments, writeArguments } from '../arguments.ts'
import { restOf } from '../note.ts'
import type { Reading } from '../reading.ts'
import type { ToolCallPart } from '../../log/message.ts'

/** A call with all that it says; `undefined` where no result could answer it. */
export function readCall(call: Fields, place: string, reading: Reading): ToolCallPart | undefined {
  const toolCallId = nameOf(call['id'])
  if (toolCallId === undefined) {
    const problem = 'a call without an id cannot have a result'
    reading.misfit({ place, problem, reason: 'call-without-id' })
    return undefined
  }
  return (
    functionCall(call, toolCallId) ?? customCall(call, toolCallId) ?? otherCall(call, toolCallId)
  )
}

function functionCall(call: Fields, toolCallId: string): ToolCallPart | undefined {
  const inner = fieldsOf(call['function'])
  const toolName = nameOf(inner?.['name'])
  if (!inner || toolName === undefined) return undefined
  const { input, ...noted } = readArguments(inner['arguments'])
  const google = thoughtSignature(call)
  const said = ['id', 'function', ...(call['type'] === 'function' ? ['type'] : [])]
  return {
    type: 'tool-call',
    toolCallId,
    toolName,
    input,
    ...notes.with(
      {
        ...noted,
        rest: restOf(call, [...said, ...(google ? ['extra_content'] : [])]),
        inner: restOf(inner, ['name', 'arguments']),
        ...(call['type'] === undefined && { form: 'untyped' }),
      },
      google && { google },
    ),
  }
}

/** The signature that Google's models put on their calls, if there is nothing else next to it. */
function thoughtSignature(call: Fields): { thoughtSignature: string } | undefined {
  const extra = fieldsOf(call['extra_content'])
  const google = fieldsOf(extra?.['google'])
  const signature = nameOf(google?.['thought_signature'])
  const isAll = Object.keys({ ...extra, ...google }).join() === 'google,thought_signature'
  return isAll && signature !== undefined ? { thoughtSignature: signature } : undefined
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

/** The older kind of call; an answer has at most one. */
export function readFunctionCall(call: Fields, calls: OlderCalls): ToolCallPart | undefined {
  const toolName = nameOf(call['name'])
  if (toolName === undefined) return undefined
  const { input, ...noted } = readArguments(call['arguments'])
  const rest = restOf(call, ['name', 'arguments'])
  return {
    type: 'tool-call',
    toolCallId: calls.next(),
    toolName,
    input,
    ...notes.with({ ...noted, form: olderForm, rest }),
  }
}

export function writeFunctionCall(part: ToolCallPart): Fields {
  const noted = notes.of(part)
  return { name: part.toolName, ...writeArguments(part.input, noted), ...fieldsOf(noted['rest']) }
}

export function writeCall(part: ToolCallPart): Fields {
  const { toolCallId: id, toolName: name, input } = part
  const noted = notes.of(part)
  const { form, named } = noted
  const [others, more] = [fieldsOf(noted['rest']), fieldsOf(noted['inner'])]
  if (form === 'other') {
    return { id, ...(named !== undefined && { type: named }), ...fieldsOf(input) }
  }
  if (form === 'custom') return { id, type: 'custom', custom: { name, input, ...more }, ...others }
  const signature = fieldsOf(part.providerOptions?.['google'])?.['thoughtSignature']
  const google = { thought_signature: signature }
  return {
    id,
    ...(form !== 'untyped' && { type: 'function' }),
    function: { name, ...writeArguments(input, noted), ...more },
    ...(signature !== undefined && { extra_content: { google } }),
    ...others,
  }
}
