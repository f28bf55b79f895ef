import { fieldsOf, listOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { asOutputPart, asUserPart } from '../media.ts'
import { isFailed, textOutput as markedOutput } from '../text-pieces.ts'
import { markedFailure, restOf } from '../note.ts'
import { notes, readContent, restIn, writeContent } from './contents.ts'
import { outputText } from '../../log/message.ts'
import type { ToolMessage, ToolOutput, ToolOutputPart, ToolResultPart } from '../../log/message.ts'
import type { ToolNames } from '../tool-names.ts'
import type { Writing } from '../reading.ts'

/** The types of results of calls that the host runs. */
const results: ReadonlySet<unknown> = new Set([
  'function_call_result',
  'computer_call_result',
  'shell_call_output',
  'apply_patch_call_output',
])

export function isResult({ type, callId }: Fields): boolean {
  return results.has(type) && nameOf(callId) !== undefined
}

/** The result of a call. */
export function readResult(item: Fields, names: ToolNames): ToolMessage {
  const { type, status } = item
  const toolCallId = nameOf(item['callId']) ?? ''
  const isFunction = type === 'function_call_result'
  const name = isFunction ? nameOf(item['name']) : undefined
  const failed = type === 'apply_patch_call_output' && status === 'failed'
  const said = ['callId', 'output', ...(isFunction ? ['type', ...(name ? ['name'] : [])] : [])]
  return {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId,
        toolName: name ?? names.get(toolCallId) ?? 'unknown',
        output: outputOf(item['output'], failed),
        ...notes.with({ rest: restOf(item, said), ...(isFunction && { form: 'function' }) }),
      },
    ],
  }
}

function outputOf(given: unknown, failed: boolean): ToolOutput {
  if (typeof given === 'string') return textOutput(given, failed, {})
  if (given === undefined) return textOutput('', failed, { form: 'absent' })
  const fields = fieldsOf(given)
  const text = textOf(fields?.['text'])
  if (fields && text !== undefined && fields['type'] === 'text') {
    return textOutput(text, failed, { form: 'text', rest: restOf(fields, ['text']) })
  }
  const parts = objectsOf(given)
  const isContent =
    parts.length > 0 &&
    parts.length === listOf(given).length &&
    parts.every((part) => String(part['type']).startsWith('input_'))
  if (!isContent) return { type: 'json', value: given, ...notes.with({ form: 'json' }) }
  return { type: 'content', value: parts.map(outputPart), ...notes.with({ form: 'content' }) }
}

function textOutput(text: string, failed: boolean, noted: Fields): ToolOutput {
  if (failed) return { type: 'error-text', value: text, ...notes.with({ ...noted, failed }) }
  return markedOutput(text, noted, notes)
}

function outputPart(part: Fields): ToolOutputPart {
  return asOutputPart(readContent(part))
}

/** A result as an item: in words where the SDK takes no such output. */
export function writeResult(part: ToolResultPart, place: string, writing: Writing): Fields {
  const { toolCallId: callId, toolName: name, output } = part
  const { form } = notes.of(part)
  const rest = restIn(part)
  // A result that somebody else wrote has no other type.
  const isFunction = form === 'function' || rest['type'] === undefined
  const value = isFunction
    ? payloadOf(output, place, writing)
    : payloadFor(rest['type'], output, () => payloadOf(output, place, writing))
  return {
    ...(isFunction && { type: 'function_call_result', name }),
    callId,
    ...(value !== undefined && { output: value }),
    ...(isFunction && form === undefined && { status: 'completed' }),
    ...rest,
  }
}

/** What a tool of OpenAI's own must answer with, also where its output was made smaller. */
function payloadFor(type: unknown, output: ToolOutput, usual: () => unknown): unknown {
  const isWhole = notes.of(output)['form'] === 'json' && output.type === 'json'
  if (isWhole || type === 'apply_patch_call_output') return usual()
  const text = outputText(output)
  if (type === 'shell_call_output') {
    return [{ stdout: text, stderr: '', outcome: { type: 'exit', exitCode: 0 } }]
  }
  return { type: 'computer_screenshot', data: onePixel, providerData: { text } }
}

const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='

function payloadOf(output: ToolOutput, place: string, writing: Writing): unknown {
  const { form, failed, rest } = notes.of(output)
  if (output.type === 'content') {
    const parts = output.value.flatMap((part, index) =>
      writeContent(asUserPart(part), `${place}.output[${index}]`, writing),
    )
    const isMarked = isFailed(output)
    return isMarked ? [{ type: 'input_text', text: markedFailure('') }, ...parts] : parts
  }
  if (form === 'json' && output.type === 'json') return output.value
  const said = outputText(output)
  const text = isFailed(output) && failed !== true ? markedFailure(said) : said
  if (form === 'absent' && text === '') return undefined
  return form === 'text' ? { text, ...fieldsOf(rest) } : text
}
