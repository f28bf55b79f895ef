import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { outputText } from '../../log/message-text.ts'
import { partsOf, type Message, type Part, type ToolOutput } from '../../log/message.ts'
import { isImage, mediumOf, textIn, type Medium } from './media.ts'
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
  const blocks = outputPieces(output)
    .filter((piece) => piece !== '')
    .map(mediaBlock)
  return blocks.length === 0 ? '' : blocks
}

/** The API takes no other kinds than these. */
function mediaBlock(medium: Medium | string): Block {
  if (typeof medium === 'string') return { type: 'text', text: medium }
  const title = medium.filename !== undefined && { title: medium.filename }
  if (isImage(medium)) return { type: 'image', source: sourceOf(medium) }
  if (medium.mediaType === 'application/pdf') {
    return { type: 'document', source: sourceOf(medium), ...title }
  }
  const data = textIn(medium)
  if (data === undefined) return { type: 'text', text: attachmentText(medium) }
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, ...title }
}

function sourceOf({ mediaType, base64, url }: Medium): Block {
  if (url !== undefined) return { type: 'url', url }
  return { type: 'base64', media_type: mediaType, data: base64 }
}
