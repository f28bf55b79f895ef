import { parseSections, sectionBody, type ParsedSummary } from '../../facts/sections.ts'
import type { Template } from './template.ts'

const refusal =
  /\bi(?:['’]m| am) (?:(?:very |so )?sorry|unable to|not able to|afraid i)|^sorry\b|\bi (?:can(?:not|['’]t)|won['’]t|will not|must decline to|decline to) (?:help|assist|comply|do that|summari[sz]e|continue|provide|fulfil|create|write|support|share)|\bas an ai\b|\bagainst my (?:guidelines|polic)/i

// A refusal comes at the beginning; later matches may be about the work.
const beginning = 300

const nothing = /^[-*\s]*\(?(?:none|nothing recorded|n\/a)?\.?\)?$/i

/** What somebody wrote who was asked for a summary, and how it ended. */
export interface AnsweredText {
  text: string
  finish: 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' | 'other'
}

/** What an answer is checked against. */
export interface SummaryCheck<T extends number = number> {
  template: Template
  /** What the summary may take, in the unit of `count`. */
  budget: NoInfer<T>
  count: (text: string) => T
  /** What the summary would replace, in the unit of `count`, where that is known. */
  replaced?: NoInfer<T> | undefined
}

/**
 * Why an answer is unfit to replace history; empty if it is fit. A bad summary never replaces
 * history; a merely incomplete one is repaired from the facts afterwards.
 */
export function summaryProblems<T extends number>(
  answer: AnsweredText,
  { template, budget, count, replaced }: SummaryCheck<T>,
): string[] {
  const text = answer.text.trim()
  if (answer.finish === 'tool-calls') return ['it was a tool call instead of a summary']
  if (answer.finish === 'content-filter') return ['it was refused by a content filter']
  if (answer.finish === 'error') return ['it ended in an error']
  if (text === '') return ['it was empty']
  const problems: string[] = []
  if (answer.finish === 'length') problems.push('it was cut off at the output limit')
  const parsed = parseSections(text)
  if (isRefusal(parsed)) problems.push('it was a refusal')
  else if (saysNothing(parsed)) problems.push('it said nothing under any of its headings')
  const tokens = count(text)
  if (tokens > budget) problems.push(`it has ${tokens} tokens, the limit is ${budget}`)
  if (replaced !== undefined && tokens > replaced) {
    problems.push(`it has ${tokens} tokens, more than the ${replaced} that it was meant to replace`)
  }
  const missing = template.sections
    .filter(({ heading }) => sectionBody(parsed, heading) === undefined)
    .map(({ heading }) => `"## ${heading}"`)
  if (missing.length > 0) problems.push(`it lacks the sections ${missing.join(', ')}`)
  return problems
}

/** In plain words, with or without the requested headings. */
function isRefusal({ preamble, sections }: ParsedSummary): boolean {
  const said = sections.length === 0 ? [preamble] : sections.map(({ body }) => body)
  const bodies = said.filter((body) => !nothing.test(body.slice(0, beginning)))
  return bodies.length > 0 && bodies.every((body) => refusal.test(body.slice(0, beginning)))
}

function saysNothing({ preamble, sections }: ParsedSummary): boolean {
  return preamble === '' && sections.every(({ body }) => nothing.test(body.slice(0, beginning)))
}
