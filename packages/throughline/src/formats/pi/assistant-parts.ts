import {
  boundedValue,
  fieldsOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import type { AssistantPart, ProviderOptions } from '../../log/message.ts'

/** The blocks of an assistant's message as parts. */
export function assistantParts(message: Fields): AssistantPart[] {
  const { content } = message
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  const api = textOf(message['api']) ?? ''
  return objectsOf(content).flatMap((block) => partOf(block, api))
}

function partOf(block: Fields, api: string): AssistantPart[] {
  switch (block['type']) {
    case 'text': {
      const text = nameOf(block['text'])
      return text ? [{ type: 'text', text }] : []
    }
    case 'thinking':
      return thinking(block, api)
    case 'toolCall':
      return toolCall(block)
    default:
      return []
  }
}

/** Reasoning that can neither be read nor sent again is left out. */
function thinking(block: Fields, api: string): AssistantPart[] {
  const text = textOf(block['thinking']) ?? ''
  const signature = nameOf(block['thinkingSignature'])
  const redacted = block['redacted'] === true
  const providerOptions = signature ? sealOf(signature, redacted, api) : undefined
  if (text === '' && !providerOptions) return []
  return [{ type: 'reasoning', text, ...(providerOptions && { providerOptions }) }]
}

/** The provider's signature on its reasoning; some providers give the name of a field instead. */
function sealOf(signature: string, redacted: boolean, api: string): ProviderOptions | undefined {
  if (api.startsWith('anthropic') || api.startsWith('bedrock')) {
    return { anthropic: redacted ? { redactedData: signature } : { signature } }
  }
  if (api.startsWith('google')) return { google: { thoughtSignature: signature } }
  const item = itemOf(signature)
  const reasoningEncryptedContent = nameOf(item?.['encrypted_content'])
  if (!reasoningEncryptedContent) return undefined
  const itemId = nameOf(item?.['id'])
  return { openai: { ...(itemId && { itemId }), reasoningEncryptedContent } }
}

/** pi keeps the reasoning item of the Responses API whole, as JSON. */
function itemOf(signature: string): Fields | undefined {
  if (!signature.startsWith('{')) return undefined
  try {
    return fieldsOf(JSON.parse(signature))
  } catch {
    return undefined
  }
}

function toolCall(block: Fields): AssistantPart[] {
  const toolCallId = nameOf(block['id'])
  const toolName = nameOf(block['name'])
  if (!toolCallId || !toolName) return []
  const input = boundedValue(block['arguments'] ?? {})
  const thoughtSignature = nameOf(block['thoughtSignature'])
  const providerOptions = { google: { thoughtSignature } }
  const part = { type: 'tool-call' as const, toolCallId, toolName, input }
  return [{ ...part, ...(thoughtSignature && { providerOptions }) }]
}
