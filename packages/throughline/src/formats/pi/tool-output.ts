import { nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import type { ToolOutput, ToolOutputPart } from '../../log/message.ts'

/** What a `toolResult` message gave the model. */
export function toolOutput(message: Fields): ToolOutput {
  const failed = message['isError'] === true
  const { content } = message
  const parts = typeof content === 'string' ? [] : objectsOf(content).flatMap(outputPart)
  const texts = parts.flatMap((part) => part.text ?? [])
  if (texts.length === parts.length) {
    const value = typeof content === 'string' ? content : texts.join('\n')
    return { type: failed ? 'error-text' : 'text', value }
  }
  return {
    type: 'content',
    value: parts,
    ...(failed && { providerOptions: { pi: { isError: true } } }),
  }
}

function outputPart(block: Fields): ToolOutputPart[] {
  if (block['type'] === 'image') {
    const data = nameOf(block['data'])
    const mediaType = nameOf(block['mimeType']) ?? 'image'
    return data ? [{ type: 'file', mediaType, data: { type: 'data', data } }] : []
  }
  const text = textOf(block['text'])
  return text === undefined ? [] : [{ type: 'text', text }]
}
