import { fieldsOf, nameOf, objectsOf, type Fields } from '../../json/fields.ts'
import { notes } from './notes.ts'
import { outputText } from '../../log/message-text.ts'
import { readContent, writeContent } from './contents.ts'
import { restOf } from '../note.ts'
import type {
  FilePart,
  ImagePart,
  TextPart,
  ToolMessage,
  ToolOutput,
  ToolOutputPart,
  ToolResultPart,
} from '../../log/message.ts'
import type { ToolNames } from '../tool-names.ts'

/** The result of a call that somebody but the provider ran; `undefined` for any other item. */
export function readResult(item: Fields, names: ToolNames): ToolMessage | undefined {
  const key = callKey(item)
  const toolCallId = key && nameOf(item[key])
  if (key === undefined || toolCallId === undefined) return undefined
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

/** The field that names the call. */
function callKey(item: Fields): string | undefined {
  const type = String(item['type'])
  if (type === 'mcp_approval_response') return 'approval_request_id'
  if (!/_call_output$|^tool_search_output$/.test(type)) return undefined
  return type === 'local_shell_call_output' && item['call_id'] === undefined ? 'id' : 'call_id'
}

/** The field in which the result stands. */
function payloadOf({ type }: Fields): string {
  if (type === 'tool_search_output') return 'tools'
  return type === 'mcp_approval_response' ? 'approve' : 'output'
}

function outputOf(payload: unknown): ToolOutput {
  if (typeof payload === 'string') return { type: 'text', value: payload }
  if (payload === undefined) return { type: 'text', value: '', ...notes.with({ form: 'absent' }) }
  const isContent =
    Array.isArray(payload) &&
    payload.every((part) => String(fieldsOf(part)?.['type']).startsWith('input_'))
  if (!isContent) return { type: 'json', value: payload, ...notes.with({ form: 'json' }) }
  return { type: 'content', value: objectsOf(payload).map(outputPart) }
}

function outputPart(part: Fields): ToolOutputPart {
  const content = readContent(part)
  if (content.type !== 'image') return { ...content }
  const { image, ...others } = content
  return { ...others, type: 'image-data', data: image }
}

/** @throws MessageConversionError if the API takes no such output. */
export function writeResult(part: ToolResultPart, place: string): Fields {
  const { rest, key, payload } = notes.of(part)
  const output = payloadIn(part.output, place)
  return {
    type: 'function_call_output',
    [nameOf(key) ?? 'call_id']: part.toolCallId,
    ...(output !== undefined && { [nameOf(payload) ?? 'output']: output }),
    ...fieldsOf(rest),
  }
}

function payloadIn(output: ToolOutput, place: string): unknown {
  const { form } = notes.of(output)
  if (output.type === 'content') {
    return output.value.map((part, index) =>
      writeContent(asContent(part), `${place}.output[${index}]`),
    )
  }
  if (form === 'absent') return undefined
  return form === 'json' && output.type === 'json' ? output.value : outputText(output)
}

/** Whatever a framework calls the parts of an output. */
function asContent(part: ToolOutputPart): TextPart | ImagePart | FilePart {
  const { type, data, mediaType, ...others } = part
  const value = data ?? part['url']
  if (type === 'text') return { ...others, type, text: part.text ?? '' }
  const medium = { ...others, ...(mediaType !== undefined && { mediaType }) }
  return type.startsWith('image')
    ? { ...medium, type: 'image', image: value }
    : { ...medium, type: 'file', data: value, mediaType: mediaType ?? 'application/octet-stream' }
}
