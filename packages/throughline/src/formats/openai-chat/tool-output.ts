import { imageOutput } from '../codex/media.ts'
import { jsonOf, objectsOf, textOf, type Fields } from '../fields.ts'
import type { ToolOutput, ToolOutputPart } from '../../log/message.ts'

/** The content of a tool's message. This API does not say whether a call failed. */
export function toolOutput(content: unknown): ToolOutput {
  if (typeof content === 'string') return { type: 'text', value: content }
  const parts = objectsOf(content).flatMap(outputPart)
  const [only] = parts
  if (parts.length === 0) return { type: 'text', value: '' }
  if (parts.length === 1 && only?.type === 'text') return { type: 'text', value: only.text ?? '' }
  return { type: 'content', value: parts }
}

function outputPart(block: Fields): ToolOutputPart[] {
  const text = textOf(block['text'])
  if (text !== undefined) return [{ type: 'text', text }]
  const image = imageOutput(block)
  if (image) return [image]
  const json = jsonOf(block)
  return json === undefined ? [] : [{ type: 'text', text: json }]
}
