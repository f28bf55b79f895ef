import { outputText } from '../../log/message-text.ts'
import { partsOf, type Message, type Part, type ToolOutput } from '../../log/message.ts'
import { isImage, mediumOf, type Medium } from './media.ts'
import { isFailed, outputPieces } from './output-pieces.ts'

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
    case 'file':
      return mediaBlock(mediumOf(part))
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

function resultContent(output: ToolOutput): string | Block[] {
  if (output.type !== 'content') return outputText(output)
  return outputPieces(output).map(mediaBlock)
}

function mediaBlock(medium: Medium | string): Block {
  if (typeof medium === 'string') return { type: 'text', text: medium }
  const { mediaType, base64, url } = medium
  const source =
    url === undefined
      ? { type: 'base64', media_type: mediaType, data: base64 }
      : { type: 'url', url }
  return { type: isImage(medium) ? 'image' : 'document', source }
}
