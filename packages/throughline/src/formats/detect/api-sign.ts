import { fieldsOf, listOf, type Fields } from '../../json/fields.ts'

/** The APIs whose messages a file may contain. */
export type Api = 'openai-chat' | 'openai-responses' | 'anthropic' | 'ai-sdk'

/** `plain`: a message of text only, which is the same in most of them. */
export type ApiSign = Api | 'plain'

/** The API that a message belongs to, by its signs; `undefined` if it isn't a message at all. */
export function messageSign(message: Fields): ApiSign | undefined {
  const { role, type, content } = message
  if (typeof role !== 'string') return itemSign(message)
  if (!roles.has(role)) return undefined
  if (isUiMessage(message) || isThere(message['providerOptions'])) return 'ai-sdk'
  if (chatFields.some((field) => isThere(message[field]))) return 'openai-chat'
  const sign = contentSign(content)
  if (sign && sign !== 'plain') return sign
  if (type === 'message') return 'stop_reason' in message ? 'anthropic' : 'openai-responses'
  return role === 'function' ? 'openai-chat' : sign
}

const roles: ReadonlySet<string> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  'function',
])

/** Fields that only Chat Completions and compatible servers put next to the content. */
const chatFields = [
  'tool_calls',
  'tool_call_id',
  'function_call',
  'reasoning_content',
  'reasoning_details',
  'thinking_blocks',
  'refusal',
] as const

function isThere(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null
}

function isUiMessage({ id, parts }: Fields): boolean {
  if (!Array.isArray(parts)) return false
  if (parts.length === 0) return typeof id === 'string'
  return parts.every((part) => typeof fieldsOf(part)?.['type'] === 'string')
}

function contentSign(content: unknown): ApiSign | undefined {
  if (typeof content === 'string' || content === null) return 'plain'
  if (!Array.isArray(content)) return undefined
  for (const block of listOf(content)) {
    const fields = fieldsOf(block)
    const sign = fields && blockSign(fields)
    if (sign) return sign
  }
  return 'plain'
}

function blockSign(block: Fields): Api | undefined {
  const { type } = block
  if (isThere(block['providerOptions'])) return 'ai-sdk'
  if (typeof block['tool_use_id'] === 'string') return 'anthropic'
  if (type === 'image') return fieldsOf(block['source']) ? 'anthropic' : 'ai-sdk'
  if (type === 'file') return fieldsOf(block['file']) ? 'openai-chat' : 'ai-sdk'
  return typeof type === 'string' ? blockTypes.get(type) : undefined
}

const blockTypes: ReadonlyMap<string, Api> = new Map([
  ...(['image_url', 'input_audio', 'refusal'] as const).map(asOf('openai-chat')),
  ...(['input_text', 'output_text', 'input_image', 'input_file'] as const).map(
    asOf('openai-responses'),
  ),
  ...(
    [
      'tool_use',
      'thinking',
      'redacted_thinking',
      'server_tool_use',
      'mcp_tool_use',
      'document',
      'search_result',
      'container_upload',
      'compaction',
    ] as const
  ).map(asOf('anthropic')),
  ...(
    [
      'tool-call',
      'tool-result',
      'tool-approval-request',
      'tool-approval-response',
      'reasoning',
      'reasoning-file',
      'custom',
    ] as const
  ).map(asOf('ai-sdk')),
])

function asOf(api: Api): (type: string) => readonly [string, Api] {
  return (type) => [type, api]
}

/** Items of the Responses API that aren't messages. */
function itemSign(item: Fields): Api | undefined {
  const { type } = item
  if (typeof type !== 'string') return undefined
  if (type === 'reasoning') {
    const thought = Array.isArray(item['summary']) || typeof item['encrypted_content'] === 'string'
    return thought ? 'openai-responses' : undefined
  }
  const named = typeof item['call_id'] === 'string' || typeof item['id'] === 'string'
  return named && /_call(?:_output)?$/.test(type) ? 'openai-responses' : undefined
}
