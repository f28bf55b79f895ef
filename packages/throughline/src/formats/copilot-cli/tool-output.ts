import { fieldsOf, jsonOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import type { ToolOutput, ToolOutputPart } from '../../log/message.ts'

/** What a finished call gave the model; its longer form is for the screen alone. */
export function toolOutput(data: Fields): ToolOutput {
  const failed = data['success'] === false
  const result = fieldsOf(data['result'])
  const error = fieldsOf(data['error'])
  const said = textOf(result?.['content']) ?? textOf(error?.['message'])
  const value = said ?? (failed ? (jsonOf(data['error']) ?? '') : '')
  // What the model was shown; versions before it was noted had the tool's own blocks alone.
  const shown = result?.['binaryResultsForLlm'] ?? result?.['contents']
  const media = objectsOf(shown).flatMap(mediaPart)
  if (media.length === 0) return { type: failed ? 'error-text' : 'text', value }
  return {
    type: 'content',
    value: [{ type: 'text', text: value }, ...media],
    ...(failed && { providerOptions: { copilot: { failed: true } } }),
  }
}

function mediaPart(block: Fields): ToolOutputPart[] {
  const data = nameOf(block['data'])
  const mediaType = nameOf(block['mimeType'])
  if (!data || !mediaType) return []
  return [{ type: 'file', mediaType, data: { type: 'data', data } }]
}
