import { boundedValue, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import type { AssistantPart, ToolOutput } from '../../log/message.ts'

/** The blocks of an assistant record as parts. */
export function assistantParts(content: unknown): AssistantPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return objectsOf(content).flatMap(partOf)
}

function partOf(block: Fields): AssistantPart[] {
  switch (block['type']) {
    case 'text': {
      const text = textOf(block['text'])
      return text ? [{ type: 'text', text }] : []
    }
    case 'thinking':
      return thinking(block)
    case 'redacted_thinking': {
      const redactedData = nameOf(block['data'])
      if (!redactedData) return []
      return [{ type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData } } }]
    }
    case 'tool_use':
      return toolCall(block, false)
    case 'server_tool_use':
    case 'mcp_tool_use':
      return toolCall(block, true)
    default:
      return typeof block['tool_use_id'] === 'string' ? serverResult(block) : unknownBlock(block)
  }
}

function thinking(block: Fields): AssistantPart[] {
  const text = textOf(block['thinking']) ?? ''
  const signature = nameOf(block['signature'])
  if (text === '' && !signature) return []
  const providerOptions = { anthropic: { signature } }
  return [{ type: 'reasoning', text, ...(signature && { providerOptions }) }]
}

function toolCall(block: Fields, providerExecuted: boolean): AssistantPart[] {
  const toolCallId = nameOf(block['id'])
  const toolName = nameOf(block['name'])
  if (!toolCallId || !toolName) return []
  const input = boundedValue(block['input'] ?? {})
  return [
    {
      type: 'tool-call',
      toolCallId,
      toolName,
      input,
      ...(providerExecuted && { providerExecuted }),
    },
  ]
}

/** The result of a tool that the provider ran is in the reply itself. */
function serverResult(block: Fields): AssistantPart[] {
  const toolCallId = nameOf(block['tool_use_id'])
  if (!toolCallId) return []
  const toolName = (nameOf(block['type']) ?? 'server').replace('_tool_result', '')
  const output: ToolOutput = { type: 'json', value: boundedValue(block['content'] ?? null) }
  return [{ type: 'tool-result', toolCallId, toolName, output }]
}

function unknownBlock(block: Fields): AssistantPart[] {
  const type = nameOf(block['type'])
  if (!type) return []
  const anthropic = { block: boundedValue(block) }
  return [{ type: 'custom', kind: `anthropic.${type}`, providerOptions: { anthropic } }]
}
