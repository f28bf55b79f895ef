import { parseSections, sectionBody } from './sections.ts'
import type { CountTokens } from '../../tokens/count.ts'
import type { SummaryAnswer } from './summarizer.ts'
import type { Template } from './template.ts'

const refusal =
  /^\s*(?:i['’]?m sorry|i am sorry|sorry,|i can(?:no|['’])t|i['’]?m unable|i am unable|as an ai\b|i won['’]t)/i

/**
 * What makes an answer unfit to replace history; empty if nothing does. A bad summary
 * never does: a summary that is only incomplete is repaired from the index afterwards.
 */
export function summaryProblems(
  answer: SummaryAnswer,
  { template, budget, count }: { template: Template; budget: number; count: CountTokens },
): string[] {
  const text = answer.text.trim()
  if (answer.finish === 'tool-calls') return ['it was a tool call instead of a summary']
  if (answer.finish === 'content-filter') return ['it was refused by a content filter']
  if (answer.finish === 'error') return ['it ended in an error']
  if (text === '') return ['it was empty']
  const problems: string[] = []
  if (answer.finish === 'length') problems.push('it was cut off at the output limit')
  const parsed = parseSections(text)
  if (refusal.test(text) && parsed.sections.length === 0) problems.push('it was a refusal')
  const tokens = count(text)
  if (tokens > budget) problems.push(`it has ${tokens} tokens, the limit is ${budget}`)
  const missing = template.sections
    .filter(({ heading }) => sectionBody(parsed, heading) === undefined)
    .map(({ heading }) => `"## ${heading}"`)
  if (missing.length > 0) problems.push(`it lacks the sections ${missing.join(', ')}`)
  return problems
}
