import { outputText } from '../../log/message-text.ts'
import { answerMark } from './answer.ts'
import type { Part } from '../../log/message.ts'

const fields: ReadonlySet<string> = new Set(['ref', 'path', 'words', 'offset', 'session'])

/**
 * Whether a part is a question to the record, or an answer of it: whoever looks for words is not
 * looking for where they were looked for. Hosts give the tool a name of their own.
 */
export function isOwn(part: Part): boolean {
  if (part.type === 'tool-result') return outputText(part.output).startsWith(answerMark)
  if (part.type !== 'tool-call' || typeof part.input !== 'object' || part.input === null) {
    return false
  }
  const asked = Object.keys(part.input)
  const named = /recall/i.test(part.toolName) || asked.includes('words')
  return named && asked.every((field) => fields.has(field))
}
