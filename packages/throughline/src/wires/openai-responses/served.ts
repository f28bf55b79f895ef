import { fieldsOf, nameOf, type Fields } from '../../json/fields.ts'
import { notes } from './calls.ts'
import { outputText } from '../../log/message.ts'
import { readArguments, writeArguments } from '../arguments.ts'
import { restOf } from '../note.ts'
import type { AssistantPart, ToolCallPart, ToolOutput, ToolResultPart } from '../../log/message.ts'

/** Whether the provider made this call itself and the same item holds its result. */
export function isServed(item: Fields): boolean {
  if (nameOf(item['id']) === undefined) return false
  return item['type'] === 'web_search_call' || isMcpCall(item)
}

function isMcpCall(item: Fields): boolean {
  return item['type'] === 'mcp_call' && nameOf(item['name']) !== undefined
}

/** A call of the provider's with its result. */
export function readServed(item: Fields): AssistantPart[] {
  const toolCallId = nameOf(item['id']) ?? ''
  const isMcp = isMcpCall(item)
  const { input, ...noted } = isMcp
    ? readArguments(item['arguments'])
    : item['action'] === undefined
      ? { input: {}, given: 'absent' }
      : { input: item['action'] }
  const toolName = isMcp ? mcpName(item) : 'web_search'
  const payload = isMcp ? ((item['error'] ?? null) === null ? 'output' : 'error') : undefined
  const said = ['id', isMcp ? 'arguments' : 'action', ...(payload === undefined ? [] : [payload])]
  return [
    {
      type: 'tool-call',
      toolCallId,
      toolName,
      input,
      providerExecuted: true,
      ...notes.with({ ...noted, form: 'served', payload, rest: restOf(item, said) }),
    },
    {
      type: 'tool-result',
      toolCallId,
      toolName,
      output: outputOf(payload === undefined ? undefined : item[payload], payload === 'error'),
      ...notes.with({ form: 'served' }),
    },
  ]
}

function mcpName(item: Fields): string {
  const name = nameOf(item['name']) ?? ''
  const server = nameOf(item['server_label'])
  return server === undefined ? name : `mcp__${server}__${name}`
}

function outputOf(value: unknown, failed: boolean): ToolOutput {
  if (value === undefined) return { type: 'text', value: '', ...notes.with({ form: 'absent' }) }
  if (typeof value === 'string') return { type: failed ? 'error-text' : 'text', value }
  return { type: failed ? 'error-json' : 'json', value, ...notes.with({ form: 'json' }) }
}

/** The item of a call with its result; `undefined` if the provider that made it is another one. */
export function writeServed(
  call: ToolCallPart,
  result: ToolResultPart | undefined,
): Fields | undefined {
  const noted = notes.of(call)
  const { form, payload, rest } = noted
  if (form !== 'served') return undefined
  const others = fieldsOf(rest) ?? {}
  const input =
    others['type'] === 'web_search_call'
      ? { ...(noted['given'] !== 'absent' && { action: call.input }) }
      : writeArguments(call.input, noted)
  const output = result && writtenOutput(result.output)
  const name = nameOf(payload)
  return {
    id: call.toolCallId,
    ...input,
    ...(name !== undefined && output !== undefined && { [name]: output }),
    ...others,
  }
}

function writtenOutput(output: ToolOutput): unknown {
  const { form } = notes.of(output)
  if (form === 'absent' && outputText(output) === '') return undefined
  return form === 'json' && 'value' in output ? output.value : outputText(output)
}
