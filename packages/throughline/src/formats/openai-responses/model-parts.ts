import { decodedInput } from '../../json/decoded-input.ts'
import { boundedValue, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { assistantParts } from '../codex/assistant-parts.ts'
import type { AssistantPart } from '../../log/message.ts'

/**
 * An item of the model's as parts of its message; `undefined` for what is no item. `serial`
 * names a call that has no id.
 */
export function modelParts(item: Fields, serial: number): AssistantPart[] | undefined {
  const type = textOf(item['type']) ?? 'message'
  if (type === 'message' && typeof item['content'] === 'string') {
    return item['content'] === '' ? [] : [{ type: 'text', text: item['content'] }]
  }
  if (read.has(type)) return assistantParts(item, serial)
  if (type === 'mcp_call') return serverCall(item)
  const toolCallId = nameOf(item['call_id'])
  if (toolCallId && type.endsWith('_call')) return [builtInCall(item, type, toolCallId)]
  // What the API has added since is kept whole.
  const named = nameOf(item['id']) ?? nameOf(item['encrypted_content'])
  return named ? assistantParts(item, serial) : undefined
}

const read: ReadonlySet<string> = new Set([
  'message',
  'reasoning',
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'tool_search_call',
  'web_search_call',
])

/** A tool of the API's that the client runs: `shell_call`, `apply_patch_call`, `computer_call`. */
function builtInCall(item: Fields, type: string, toolCallId: string): AssistantPart {
  return {
    type: 'tool-call',
    toolCallId,
    toolName: type.slice(0, -'_call'.length),
    input: boundedValue(item['action'] ?? item['operation'] ?? {}),
    providerOptions: { openai: { item: type } },
  }
}

/** The provider called a server's tool: what it gave stands in the same item. */
function serverCall(item: Fields): AssistantPart[] | undefined {
  const toolCallId = nameOf(item['id'])
  const name = nameOf(item['name'])
  if (!toolCallId || !name) return undefined
  const server = nameOf(item['server_label'])
  const toolName = server ? `mcp__${server}__${name}` : name
  const failed = item['error'] !== undefined && item['error'] !== null
  const value = boundedValue((failed ? item['error'] : item['output']) ?? '')
  const input = boundedValue(decodedInput(item['arguments']))
  const providerOptions = { openai: { item: 'mcp_call' } }
  return [
    { type: 'tool-call', toolCallId, toolName, input, providerExecuted: true, providerOptions },
    {
      type: 'tool-result',
      toolCallId,
      toolName,
      output:
        typeof value === 'string'
          ? { type: failed ? 'error-text' : 'text', value }
          : { type: failed ? 'error-json' : 'json', value },
    },
  ]
}
