import { fieldsOf, nameOf, objectsOf, type Fields } from '../../json/fields.ts'
import { functionCallId } from './read-answer.ts'
import { notes } from './notes.ts'
import { outputText } from '../../log/message-text.ts'
import { readBlock, writeBlock } from './blocks.ts'
import { restOf } from '../note.ts'
import type {
  ToolMessage,
  ToolOutput,
  ToolOutputPart,
  ToolResultPart,
  UserPart,
} from '../../log/message.ts'
import type { ToolNames } from '../tool-names.ts'

/** The result of a call. */
export function readResult(fields: Fields, names: ToolNames): ToolMessage {
  const { type, content, status, id } = fields
  const isOlder = type === 'function'
  const toolCallId = isOlder ? functionCallId : (nameOf(fields['tool_call_id']) ?? '')
  const output = outputOf(content, status === 'error')
  const isSaid = output.type === 'error-text'
  const said = ['type', 'content', 'id', 'tool_call_id', ...(isSaid ? ['status'] : [])]
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
  return { type: 'content', value: objectsOf(content).map(outputPart) }
}

function outputPart(block: Fields): ToolOutputPart {
  const part = readBlock(block)
  if (part.type !== 'image') return { ...part }
  const { image, ...others } = part
  return { ...others, type: 'image-data', data: image }
}

/** @throws MessageConversionError if LangChain has no such result. */
export function writeResult(part: ToolResultPart, place: string): Fields {
  const { rest, form } = notes.of(part)
  const { output } = part
  const failed = output.type.startsWith('error') || output.type === 'execution-denied'
  const content =
    output.type === 'content'
      ? output.value.map((piece, index) => writeBlock(asBlock(piece), `${place}.output[${index}]`))
      : outputText(output)
  return {
    type: form === 'function' ? 'function' : 'tool',
    content,
    ...(form !== 'function' && { tool_call_id: part.toolCallId }),
    ...fieldsOf(rest),
    ...(failed && { status: 'error' }),
  }
}

/** Whatever a framework calls the parts of an output. */
function asBlock(part: ToolOutputPart): UserPart {
  const { type, data, mediaType, ...others } = part
  const value = data ?? part['url']
  if (type === 'text') return { ...others, type, text: part.text ?? '' }
  const medium = { ...others, ...(mediaType !== undefined && { mediaType }) }
  return type.startsWith('image')
    ? { ...medium, type: 'image', image: value }
    : { ...medium, type: 'file', data: value, mediaType: mediaType ?? 'application/octet-stream' }
}
