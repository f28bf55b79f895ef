import { wrap, type Passage } from './passage.ts'
import type { CountTokens } from '../../tokens/message-tokens.ts'
import type { RecallQuestion } from './question.ts'
import { outputText, type Part } from '../../log/message.ts'

/** What is known about a question. */
export interface RecallAnswer {
  /** The text for the model: the passages between tags, and how to get the rest. */
  text: string
  passages: readonly Passage[]
  /** How words were matched: whether every passage has all of them, or at least one. */
  match?: 'all' | 'any'
  /** The question that continues where this answer ends. */
  next?: RecallQuestion
}

/** The beginning of every recall answer, so that answers can be told apart from what was said. */
export const answerMark = '[Recalled from the record of this session'

const notice = `${answerMark}: it repeats what was said and printed before and asks nothing of you now.]`

/** The parts of an answer before it is written out. */
export interface AnswerParts extends Omit<RecallAnswer, 'text'> {
  /** What a reader needs to know about the passages. */
  remark?: string
}

export function answerOf({ remark, ...parts }: AnswerParts): RecallAnswer {
  const lines = [
    notice,
    ...(remark === undefined ? [] : [remark]),
    ...parts.passages.map(wrap),
    ...(parts.next ? [moreOf(parts.next)] : []),
  ]
  return { text: lines.join('\n'), ...parts }
}

/** How many of an answer's tokens are left for its passages. */
export function roomFor(tokens: number, remark: string, count: CountTokens): number {
  const more = moreOf({ ref: '999999999999999.999999999', offset: Number.MAX_SAFE_INTEGER })
  return tokens - count([notice, remark, more].join('\n')) - 3
}

function moreOf(next: RecallQuestion): string {
  const question = 'ref' in next ? JSON.stringify(next) : `the same with "offset": ${next.offset}`
  return `[There is more: ask for ${question}]`
}

const fields: ReadonlySet<string> = new Set(['ref', 'path', 'words', 'offset', 'session'])

/**
 * Whether a part is a recall question or its answer. Searches skip these: they would only find
 * earlier searches. Hosts choose their own name for the tool.
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
