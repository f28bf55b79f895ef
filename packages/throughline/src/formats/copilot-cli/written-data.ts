import { attachmentText } from '../../compaction/continuation/describe-media.ts'
import { isFailed, outputPieces } from '../writing/output-pieces.ts'
import { isImage, mediumOf, type Medium } from '../writing/media.ts'
import {
  partsOf,
  type AssistantMessage,
  type Message,
  type ToolResultPart,
} from '../../log/message.ts'

export type Fields = Record<string, unknown>

/** What the user gives: one text, and what is attached to it. */
export function userData(message: Message): Fields {
  const pieces = partsOf(message).flatMap((part): (string | Medium)[] => {
    if (part.type === 'text') return [part.text]
    return part.type === 'image' || part.type === 'file' ? [mediumOf(part)] : []
  })
  const attachments = pieces.flatMap((piece) => {
    if (typeof piece === 'string' || piece.base64 === undefined) return []
    const { base64: data, mediaType: mimeType, filename } = piece
    return [
      { type: 'blob', data, mimeType, ...(filename !== undefined && { displayName: filename }) },
    ]
  })
  const texts = wordsOf(pieces, ({ base64 }) => base64 === undefined)
  return { content: texts.join('\n\n'), attachments }
}

/** What the model says: one text, then its calls. */
export function replyData(message: AssistantMessage): Fields {
  const parts = partsOf(message)
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const toolRequests = parts.flatMap((part) => {
    if (part.type !== 'tool-call') return []
    const { toolCallId, toolName: name, input } = part
    return [{ toolCallId, name, arguments: input, type: 'function' }]
  })
  return { content: texts.join('\n\n'), toolRequests }
}

/** What a tool gives: one text, and images beside it. */
export function resultData({ toolCallId, output }: ToolResultPart): Fields {
  const pieces = outputPieces(output)
  const content = wordsOf(pieces, (medium) => !isShown(medium)).join('\n')
  const binaryResultsForLlm = pieces.flatMap((piece) => {
    if (typeof piece === 'string' || !isShown(piece)) return []
    return [{ type: 'image', data: piece.base64, mimeType: piece.mediaType }]
  })
  const success = !isFailed(output)
  const shown = binaryResultsForLlm.length > 0 && { binaryResultsForLlm }
  return {
    toolCallId,
    success,
    ...((success || shown) && { result: { content, ...shown } }),
    ...(!success && { error: { message: content } }),
  }
}

function isShown(medium: Medium): boolean {
  return medium.base64 !== undefined && isImage(medium)
}

/** The words among these, and words for the media that have no other form. */
function wordsOf(
  pieces: readonly (string | Medium)[],
  asWords: (medium: Medium) => boolean,
): string[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string') return [piece]
    return asWords(piece) ? [attachmentText(piece)] : []
  })
}
