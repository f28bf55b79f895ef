import { asOutputPart, asUserPart } from '../media.ts'
import { fieldsOf, nameOf, objectsOf, textOf, type Fields, countOf } from '../../json/fields.ts'
import { isFailed, piecesOf, textOfPieces } from '../text-pieces.ts'
import { failureMark, markedFailure, withoutFailureMark, restOf } from '../note.ts'
import { knownAgain, parsedFields, unknownOutput } from '../unknown-part.ts'
import { notes } from './calls.ts'
import { outputText } from '../../log/message.ts'
import { readKnownContent, writeContent } from './contents.ts'
import type { ToolMessage, ToolOutput, ToolOutputPart, ToolResultPart } from '../../log/message.ts'
import type { ToolNames } from '../tool-names.ts'
import type { Writing } from '../reading.ts'

/** Whether an item is the result of a call that somebody but the provider ran. */
export function isResult(item: Fields): boolean {
  const key = callKey(item)
  return key !== undefined && nameOf(item[key]) !== undefined
}

export function readResult(item: Fields, names: ToolNames): ToolMessage {
  const key = callKey(item) ?? 'call_id'
  const toolCallId = nameOf(item[key]) ?? ''
  const payload = payloadOf(item)
  const output = outputOf(item[payload])
  const isPlain = item['type'] === 'function_call_output'
  const noted = notes.with({
    rest: restOf(item, [key, payload, ...(isPlain ? ['type'] : [])]),
    ...(key !== 'call_id' && { key }),
    ...(payload !== 'output' && { payload }),
  })
  const toolName = names.get(toolCallId) ?? 'unknown'
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName, output, ...noted }],
  }
}

function callKey(item: Fields): string | undefined {
  const type = textOf(item['type']) ?? ''
  if (type === 'mcp_approval_response') return 'approval_request_id'
  if (!/_call_output$|^tool_search_output$/.test(type)) return undefined
  return type === 'local_shell_call_output' && item['call_id'] === undefined ? 'id' : 'call_id'
}

/** The field that contains the result. */
function payloadOf({ type }: Fields): string {
  if (type === 'tool_search_output') return 'tools'
  return type === 'mcp_approval_response' ? 'approve' : 'output'
}

function outputOf(payload: unknown): ToolOutput {
  if (typeof payload === 'string') return textOutput(payload, {})
  if (payload === undefined) return { type: 'text', value: '', ...notes.with({ form: 'absent' }) }
  const isContent =
    Array.isArray(payload) &&
    payload.every((part) => String(fieldsOf(part)?.['type']).startsWith('input_'))
  if (!isContent) return { type: 'json', value: payload, ...notes.with({ form: 'json' }) }
  const parts = objectsOf(payload)
  const [first] = parts
  if (parts.length === 1 && first && isText(first)) {
    const { text, pieces } = textOfPieces(parts)
    return textOutput(text, { form: 'content', pieces })
  }
  const failed = first !== undefined && isMark(first)
  const value = (failed ? parts.slice(1) : parts).map(outputPart)
  return { type: 'content', value, ...notes.with(failed ? { failed } : {}) }
}

/** The API does not say whether a call failed; we do, and so do Codex's tools in an envelope. */
function textOutput(text: string, noted: Fields): ToolOutput {
  const failure = withoutFailureMark(text)
  if (failure !== undefined) return { type: 'error-text', value: failure, ...notes.with(noted) }
  const envelope = opened(text)
  if (!envelope) return { type: 'text', value: text, ...notes.with(noted) }
  const { output: value, failed, ...around } = envelope
  return { type: failed ? 'error-text' : 'text', value, ...notes.with({ ...noted, around }) }
}

function isText(part: Fields): boolean {
  return part['type'] === 'input_text' && typeof part['text'] === 'string'
}

function isMark(part: Fields): boolean {
  return isText(part) && part['text'] === failureMark && Object.keys(part).length === 2
}

function outputPart(part: Fields): ToolOutputPart {
  const content = readKnownContent(part)
  return content ? asOutputPart(content) : { ...unknownOutput(part, notes) }
}

/** A result as an item: in words where the API takes no such output. */
export function writeResult(part: ToolResultPart, place: string, writing: Writing): Fields {
  const { rest, key, payload } = notes.of(part)
  const output = payloadIn(part.output, place, writing)
  return {
    type: 'function_call_output',
    [nameOf(key) ?? 'call_id']: part.toolCallId,
    ...(output !== undefined && { [nameOf(payload) ?? 'output']: output }),
    ...fieldsOf(rest),
  }
}

function payloadIn(output: ToolOutput, place: string, writing: Writing): unknown {
  const { form, pieces, around } = notes.of(output)
  const failed = isFailed(output)
  if (output.type === 'content') {
    const parts = output.value.map((part, index) =>
      outputContent(part, `${place}.output[${index}]`, writing),
    )
    return failed ? [{ type: 'input_text', text: failureMark }, ...parts] : parts
  }
  if (form === 'json' && output.type === 'json') return output.value
  const said = outputText(output)
  if (form === 'absent' && said === '') return undefined
  const text = writtenText(said, failed, fieldsOf(around))
  return form === 'content' ? piecesOf(text, pieces, 'input_text') : text
}

function writtenText(said: string, failed: boolean, around: Fields | undefined): string {
  const { before, behind } = around ?? {}
  if (typeof before === 'string' && typeof behind === 'string') {
    return `${before}${JSON.stringify(said)}${behind}`
  }
  if (failed) return markedFailure(said)
  // A text that would be taken for an envelope is put into one.
  return opened(said) ? JSON.stringify({ output: said, metadata: { exit_code: 0 } }) : said
}

function outputContent(part: ToolOutputPart, place: string, writing: Writing): Fields {
  const known = knownAgain(part, notes)
  if (known) return known
  return writeContent(asUserPart(part), place, writing)
}

/** An output in the envelope that some tools put it in, and the words of JSON around it. */
interface Envelope {
  output: string
  failed: boolean
  before: string
  behind: string
}

/** `{"output": …, "metadata": {"exit_code": …}}` as the output in it and whether it failed. */
function opened(text: string): Envelope | undefined {
  const before = starts.find((start) => text.startsWith(start))
  if (before === undefined) return undefined
  const envelope = parsedFields(text)
  const output = textOf(envelope?.['output'])
  const metadata = fieldsOf(envelope?.['metadata'])
  if (output === undefined || !metadata) return undefined
  const end = before.length + JSON.stringify(output).length
  // What we could not close again as it was stays closed.
  if (text.slice(before.length, end) !== JSON.stringify(output)) return undefined
  const exitCode = countOf(metadata['exit_code'])
  const failed = exitCode !== undefined && exitCode !== 0
  return { output, failed, before, behind: text.slice(end) }
}

const starts = ['{"output": "', '{"output":"'].map((start) => start.slice(0, -1))
