import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { isFailed, outputPieces } from '../writing/output-pieces.ts'
import { isImage, urlOf, type Medium } from '../writing/media.ts'
import type { ToolOutput } from '../../log/message.ts'

export type Fields = Record<string, unknown>

/** A block of a user's message or a tool's output: Codex accepts words and images. */
export function inputBlock(piece: string | Medium): Fields {
  if (typeof piece === 'string') return { type: 'input_text', text: piece }
  if (isImage(piece)) return { type: 'input_image', image_url: urlOf(piece) }
  return { type: 'input_text', text: attachmentText(piece) }
}

/**
 * An output in the form of its item. A failure is marked in the envelope that Codex's own tools
 * use; a text that looks like such an envelope is wrapped in one, too.
 */
export function writtenOutput(output: ToolOutput): string | Fields[] {
  const pieces = outputPieces(output)
  const failed = isFailed(output)
  if (!pieces.every((piece) => typeof piece === 'string')) {
    const blocks = pieces.map(inputBlock)
    return failed ? [inputBlock('[The call failed.]'), ...blocks] : blocks
  }
  const text = pieces.join('\n')
  if (!failed && !text.startsWith('{"output":')) return text
  return JSON.stringify({ output: text, metadata: { exit_code: failed ? 1 : 0 } })
}
