import { imageOutput } from '../codex/media.ts'
import { withoutFailureMark } from './failure-mark.ts'
import { jsonOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import type { ToolOutput, ToolOutputPart } from '../../log/message.ts'

/** The content of a tool's message. The API does not say whether a call failed; we do. */
export function toolOutput(content: unknown): ToolOutput {
  if (typeof content === 'string') return textOutput(content)
  const parts = objectsOf(content).flatMap(outputPart)
  const [only] = parts
  if (parts.length === 0) return { type: 'text', value: '' }
  if (parts.length === 1 && only?.type === 'text') return textOutput(only.text ?? '')
  return { type: 'content', value: parts }
}

function textOutput(text: string): ToolOutput {
  const failure = withoutFailureMark(text)
  if (failure !== undefined) return { type: 'error-text', value: failure }
  return { type: 'text', value: text }
}

function outputPart(block: Fields): ToolOutputPart[] {
  const text = textOf(block['text'])
  if (text !== undefined) return [{ type: 'text', text }]
  const image = imageOutput(block)
  if (image) return [image]
  const json = jsonOf(block)
  return json === undefined ? [] : [{ type: 'text', text: json }]
}
