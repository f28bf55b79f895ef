import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { sanitize } from '../../log/sanitize.ts'
import { outputText, type Part, type ToolOutput } from '../../log/message.ts'
import { wireText } from '../../tokens/estimate.ts'

/**
 * A part's text as it is searched and read back: texts word for word, the input of calls and
 * structured outputs field by field, media by name. It contains no control, escape or bidi
 * characters, whoever put them there.
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

// Inputs nest a few levels; deeper ones are malicious.
const deepest = 8
const longestName = 100

// Characters that JSON escapes with a letter: in search words, that letter would become part of the
// word.
const escaped = /\\[bfnrtu]/

/**
 * A value as a reader sees it: a text as it is, an object as one `name: value` per line. Texts of
 * several lines follow their name word for word, however deep in the value they are.
 * @example
 * fieldLines({ path: 'a.ts', edits: [{ old: 'a\nb' }] }) // 'path: a.ts\nedits.0.old:\na\nb'
 */
export function fieldLines(value: unknown): string {
  return typeof value === 'string' ? value : linesOf('', value, 0).join('\n')
}

function linesOf(name: string, value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [`${name}:${value.includes('\n') ? '\n' : ' '}${value}`]
  const json = wireText(value)
  const fields = depth < deepest ? fieldsOf(value) : []
  const short = (depth > 0 || Array.isArray(value)) && !escaped.test(json)
  if (short || fields.length === 0) return [name === '' ? json : `${name}: ${json}`]
  return fields.flatMap(([key, item]) => {
    const own = key.slice(0, longestName)
    return linesOf(name === '' ? own : `${name}.${own}`, item, depth + 1)
  })
}

function fieldsOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return []
  return Object.entries(value)
}
