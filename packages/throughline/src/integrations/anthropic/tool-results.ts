import { fieldsOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { outputText } from '../../log/message-text.ts'
import { restOf } from '../shapes/note.ts'
import { documentPart, imagePart, mediaBlock } from './sources.ts'
import { notes } from './notes.ts'
import type {
  FilePart,
  ImagePart,
  ToolOutput,
  ToolOutputPart,
  ToolResultPart,
} from '../../log/message.ts'

/** The result of a call, with all that its block says. */
export function resultPart(block: Fields, toolCallId: string, toolName: string): ToolResultPart {
  const isError = block['is_error'] === true
  const output = outputOf(block['content'], isError)
  const said = ['type', 'tool_use_id', 'content', ...(isFailed(output) ? ['is_error'] : [])]
  return {
    type: 'tool-result',
    toolCallId,
    toolName,
    output,
    ...notes.with({ rest: restOf(block, said) }),
  }
}

function outputOf(content: unknown, isError: boolean): ToolOutput {
  const kind = isError ? 'error-text' : 'text'
  if (typeof content === 'string') return { type: kind, value: content }
  if (!Array.isArray(content)) {
    const form = content === null ? 'null' : 'absent'
    return { type: kind, value: '', ...notes.with({ form }) }
  }
  const blocks = objectsOf(content)
  if (!isError || blocks.some(({ type }) => type !== 'text')) {
    return { type: 'content', value: blocks.map(outputPart) }
  }
  // Only as text or JSON can an output say that the call failed.
  const [only] = blocks
  const text = blocks.length === 1 && only && textOf(only['text'])
  return typeof text === 'string'
    ? {
        type: 'error-text',
        value: text,
        ...notes.with({ form: 'blocks', rest: restOf(only ?? {}, ['type', 'text']) }),
      }
    : { type: 'error-json', value: blocks }
}

function outputPart(block: Fields): ToolOutputPart {
  const text = block['type'] === 'text' ? textOf(block['text']) : undefined
  if (text !== undefined) {
    return { type: 'text', text, ...notes.with({ rest: restOf(block, ['type', 'text']) }) }
  }
  const media = block['type'] === 'image' ? imagePart(block) : undefined
  if (media) {
    const { image, ...part } = media
    return { ...part, type: 'image-data', data: image }
  }
  const document = block['type'] === 'document' ? documentPart(block) : undefined
  if (document) return { ...document, type: 'file-data' }
  return { type: 'custom', ...notes.with({ block }) }
}

function isFailed({ type }: ToolOutput): boolean {
  return type === 'error-text' || type === 'error-json' || type === 'execution-denied'
}

/** @throws MessageConversionError if the API takes no such output. */
export function resultBlock(part: ToolResultPart, place: string): Fields {
  const { output } = part
  const content = resultContent(output, place)
  return {
    type: 'tool_result',
    tool_use_id: part.toolCallId,
    ...(content !== undefined && { content }),
    ...(isFailed(output) && { is_error: true }),
    ...fieldsOf(notes.of(part)['rest']),
  }
}

function resultContent(output: ToolOutput, place: string): unknown {
  const { form, rest } = notes.of(output)
  switch (output.type) {
    case 'content':
      return output.value.map((part, index) => outputBlock(part, `${place}.output[${index}]`))
    case 'error-json':
      return objectsOf(output.value).every((block) => nameOf(block['type']) === 'text') &&
        Array.isArray(output.value)
        ? output.value
        : outputText(output)
    default:
      if (form === 'absent') return undefined
      if (form === 'null') return null
      return form === 'blocks'
        ? [{ type: 'text', text: outputText(output), ...fieldsOf(rest) }]
        : outputText(output)
  }
}

function outputBlock(part: ToolOutputPart, place: string): Fields {
  const { block, rest } = notes.of(part as { providerOptions?: never })
  const known = fieldsOf(block)
  if (known) return known
  if (part.type === 'text') return { type: 'text', text: part.text ?? '', ...fieldsOf(rest) }
  return mediaBlock(asMedium(part), place)
}

/** Whatever a framework calls the media of an output. */
function asMedium(part: ToolOutputPart): ImagePart | FilePart {
  const { type, data, mediaType, ...others } = part
  const medium = { ...others, ...(mediaType !== undefined && { mediaType }) }
  const value = data ?? part['url']
  return type.startsWith('image')
    ? { ...medium, type: 'image', image: value }
    : { ...medium, type: 'file', data: value, mediaType: mediaType ?? 'application/octet-stream' }
}
