import { fieldsOf, nameOf, objectsOf, type Fields } from '../../json/fields.ts'
import { asUserPart } from '../media.ts'
import { isFailed } from '../text-pieces.ts'
import { unknownOutput } from '../unknown-part.ts'
import { notes, readKnownBlock, writeBlock } from './blocks.ts'
import { outputText } from '../../log/message.ts'
import { restOf } from '../note.ts'
import type { ToolMessage, ToolOutput, ToolOutputPart, ToolResultPart } from '../../log/message.ts'
import type { OlderCalls } from '../older-calls.ts'
import type { ToolNames } from '../tool-names.ts'
import type { Writing } from '../reading.ts'

export function readResult(fields: Fields, names: ToolNames, calls: OlderCalls): ToolMessage {
  const { type, content, status, id } = fields
  const isOlder = type === 'function'
  const toolCallId = isOlder ? calls.newest() : (nameOf(fields['tool_call_id']) ?? '')
  const output = outputOf(content, status === 'error')
  const said = ['type', 'content', 'id', 'tool_call_id', ...(isFailed(output) ? ['status'] : [])]
  const toolName = names.get(toolCallId) ?? nameOf(fields['name']) ?? 'unknown'
  const noted = notes.with({ rest: restOf(fields, said), ...(isOlder && { form: 'function' }) })
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName, output, ...noted }],
    ...notes.with({ messageId: id }),
  }
}

function outputOf(content: unknown, failed: boolean): ToolOutput {
  if (typeof content === 'string') return { type: failed ? 'error-text' : 'text', value: content }
  const value = objectsOf(content).map(outputPart)
  return { type: 'content', value, ...notes.with(failed ? { failed } : {}) }
}

function outputPart(block: Fields): ToolOutputPart {
  const part = readKnownBlock(block)
  if (!part) return { ...unknownOutput(block, notes) }
  if (part.type !== 'image') return { ...part }
  const { image, ...others } = part
  return { ...others, type: 'image-data', data: image }
}

/** A result: in words where LangChain has no such block. */
export function writeResult(part: ToolResultPart, place: string, writing: Writing): Fields {
  const { rest, form } = notes.of(part)
  const { output } = part
  const failed = isFailed(output)
  const content =
    output.type === 'content'
      ? output.value.map((piece, index) => outputBlock(piece, `${place}.output[${index}]`, writing))
      : outputText(output)
  return {
    type: form === 'function' ? 'function' : 'tool',
    content,
    ...(form !== 'function' && { tool_call_id: part.toolCallId }),
    ...fieldsOf(rest),
    ...(failed && { status: 'error' }),
  }
}

function outputBlock(part: ToolOutputPart, place: string, writing: Writing): Fields {
  return writeBlock(asUserPart(part), place, writing)
}
