import { outputText } from '../../log/message-text.ts'
import { partsOf, type Message, type Part, type ToolOutput } from '../../log/message.ts'

type Block = Record<string, unknown>

/** The content of a message as blocks of the Anthropic API. */
export function anthropicBlocks(message: Message): Block[] {
  return partsOf(message).flatMap((part) => {
    const block = blockOf(part)
    return block ? [block] : []
  })
}

function blockOf(part: Part): Block | undefined {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return mediaBlock('image', part.image, part.mediaType ?? 'image/png')
    case 'file':
      return mediaBlock('document', part.data, part.mediaType)
    case 'tool-call':
      return {
        type: 'tool_use',
        id: part.toolCallId,
        name: part.toolName,
        input: part.input,
      }
    case 'tool-result':
      return {
        type: 'tool_result',
        tool_use_id: part.toolCallId,
        content: resultContent(part.output),
        ...(isFailed(part.output) && { is_error: true }),
      }
    default:
      return undefined
  }
}

function isFailed({ type }: ToolOutput): boolean {
  return type === 'error-text' || type === 'error-json' || type === 'execution-denied'
}

function resultContent(output: ToolOutput): string | Block[] {
  if (output.type !== 'content') return outputText(output)
  return output.value.map((part): Block => {
    if (part.type === 'text') return { type: 'text', text: part.text ?? '' }
    const { data, mediaType = 'image/png' } = part
    const kind = mediaType.startsWith('image') ? 'image' : 'document'
    return mediaBlock(kind, data, mediaType) ?? { type: 'text', text: `[${mediaType}]` }
  })
}

/** Base64, or a URL; what is neither is named. */
function mediaBlock(type: 'image' | 'document', data: unknown, mediaType: string): Block {
  const source = mediaSource(data, mediaType)
  return source ? { type, source } : { type: 'text', text: `[Attached ${mediaType}]` }
}

function mediaSource(data: unknown, mediaType: string): Block | undefined {
  if (data instanceof URL) return { type: 'url', url: data.href }
  if (data instanceof Uint8Array) {
    return { type: 'base64', media_type: mediaType, data: Buffer.from(data).toString('base64') }
  }
  if (typeof data === 'object' && data !== null) {
    const { url, data: inner } = data as { url?: unknown; data?: unknown }
    return mediaSource(url instanceof URL ? url : (url ?? inner), mediaType)
  }
  if (typeof data !== 'string') return undefined
  if (/^https?:/.test(data)) return { type: 'url', url: data }
  const [, named, base64] = /^data:([\w.+/-]+);base64,(.*)$/s.exec(data) ?? []
  return { type: 'base64', media_type: named ?? mediaType, data: base64 ?? data }
}
