import { parseRef } from '../../log/ref.ts'
import { usage } from '../parse-arguments.ts'
import { restOf, type ParsedArguments } from '../command.ts'
import type { RecallQuestion } from '../../session/recall/question.ts'

/**
 * What was asked: one word that is a ref, a path with `--path`, or words.
 * @throws UsageError
 */
export function questionIn(parsed: ParsedArguments): RecallQuestion {
  const words = restOf(parsed, 'question')
  const path = parsed.values.get('path')
  const offset = offsetIn(parsed.values.get('offset'))
  if (path !== undefined && words.length > 0) {
    throw usage('recall', 'words and --path are two questions: leave one out')
  }
  if (path !== undefined) return { path, offset }
  const [first] = words
  if (first === undefined)
    throw usage('recall', 'what is to be recalled? Give a ref or words, or --path FILE')
  const ref = first.replace(/^\[(.*)\]$/, '$1')
  return words.length === 1 && parseRef(ref) ? { ref, offset } : { words: words.join(' '), offset }
}

function offsetIn(text: string | undefined): number {
  if (text === undefined) return 0
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw usage('recall', `--offset takes a whole number, not ${JSON.stringify(text.slice(0, 40))}`)
}
