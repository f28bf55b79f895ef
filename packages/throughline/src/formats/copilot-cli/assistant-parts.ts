import { boundedValue, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import type { AssistantPart } from '../../log/message.ts'

/** What a message of the model's holds: its reasoning, its words and its calls. */
export function assistantParts(data: Fields): AssistantPart[] {
  const text = nameOf(data['content'])
  return [
    ...reasoning(data),
    ...(text ? [{ type: 'text' as const, text }] : []),
    ...objectsOf(data['toolRequests']).flatMap(toolCall),
  ]
}

/** Reasoning that neither can be read nor sent again is no part of anything. */
function reasoning(data: Fields): AssistantPart[] {
  const text = textOf(data['reasoningText']) ?? ''
  const reasoningOpaque = nameOf(data['reasoningOpaque'])
  const encryptedContent = nameOf(data['encryptedContent'])
  const copilot = {
    ...(reasoningOpaque && { reasoningOpaque }),
    ...(encryptedContent && { encryptedContent }),
  }
  const sealed = Object.keys(copilot).length > 0
  if (text === '' && !sealed) return []
  return [{ type: 'reasoning', text, ...(sealed && { providerOptions: { copilot } }) }]
}

function toolCall(request: Fields): AssistantPart[] {
  const toolCallId = nameOf(request['toolCallId'])
  const toolName = nameOf(request['name'])
  if (!toolCallId || !toolName) return []
  const input = boundedValue(request['arguments'] ?? {})
  const { type } = request
  const plain = type === 'function' || typeof type !== 'string'
  const part = { type: 'tool-call' as const, toolCallId, toolName, input }
  return [{ ...part, ...(!plain && { providerOptions: { copilot: { type } } }) }]
}
