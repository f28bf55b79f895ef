import { attachmentText } from '../../compaction/continuation/describe-media.ts'
import { sanitize } from '../../log/sanitize.ts'
import { outputText } from '../../log/message-text.ts'
import { fieldLines } from './field-lines.ts'
import type { Part, ToolOutput } from '../../log/message.ts'

/**
 * What a part says, as it is searched and read back: texts word for word, the input of a call
 * and structured outputs by their fields, media by their names. Without control, escape and
 * bidi characters, whoever put them there.
 */
export function shownText(part: Part): string {
  return sanitize(saidIn(part))
}

function saidIn(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool-call':
      return fieldLines(part.input)
    case 'tool-result':
      return resultText(part.output)
    case 'image':
      return attachmentText({ mediaType: part.mediaType ?? 'image' })
    case 'file':
      return attachmentText(part)
    case 'tool-approval-response':
      return fieldLines({ approved: part.approved, reason: part.reason })
    default:
      return ''
  }
}

function resultText(output: ToolOutput): string {
  if (output.type === 'json' || output.type === 'error-json') return fieldLines(output.value)
  if (output.type !== 'content') return outputText(output)
  return output.value
    .map((item) => (item.type === 'text' ? (item.text ?? '') : attachmentText(item)))
    .join('\n')
}
