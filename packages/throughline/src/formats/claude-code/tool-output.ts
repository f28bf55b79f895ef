import { jsonOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { textOutput } from '../conversation/tool-output.ts'
import { mediaOutput } from './media.ts'
import type { ToolOutput, ToolOutputPart } from '../../log/message.ts'

/** What a `tool_result` block gave the model. */
export function toolOutput(block: Fields): ToolOutput {
  const failed = block['is_error'] === true
  const { content } = block
  if (typeof content === 'string') return textOutput(content, failed)
  const parts = objectsOf(content).flatMap(outputPart)
  const [only] = parts
  if (parts.length === 0) return textOutput('', failed)
  if (parts.length === 1 && only?.type === 'text') return textOutput(only.text ?? '', failed)
  if (failed && parts.every((part) => part.type === 'text')) {
    return textOutput(parts.map((part) => part.text ?? '').join('\n'), true)
  }
  return {
    type: 'content',
    value: parts,
    ...(failed && { providerOptions: { anthropic: { isError: true } } }),
  }
}

function outputPart(block: Fields): ToolOutputPart[] {
  switch (block['type']) {
    case 'text': {
      const text = textOf(block['text'])
      return text === undefined ? [] : [{ type: 'text', text }]
    }
    case 'image':
    case 'document': {
      const media = mediaOutput(block)
      return media ? [media] : []
    }
    case 'tool_reference': {
      const toolName = nameOf(block['tool_name'])
      const reference = { type: 'tool-reference', toolName }
      return toolName ? [{ type: 'custom', providerOptions: { anthropic: reference } }] : []
    }
    default: {
      const text = jsonOf(block)
      return text === undefined ? [] : [{ type: 'text', text }]
    }
  }
}
