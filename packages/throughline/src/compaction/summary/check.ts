import { headingKey, type ParsedSummary } from '../../facts/sections.ts'
import { readAnswer } from './arrange.ts'
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

// Words without a heading that are shorter than this are an acknowledgment, not a summary.
const leastCharacters = 200

// Nor are they one where they are less than this part of what they would replace; more than this
// many tokens are one, however much that is.
const leastShare = 0.01
const enough = 200

/**
 * What makes an answer unfit to replace history; empty if nothing does. A bad summary never does,
 * but a partial one is better than none: wrappers and odd headings, missing sections, an end that
 * was cut off and too great a length are repaired afterwards.
 */
export function summaryProblems<T extends number>(
  answer: AnsweredText,
  { template, count, replaced }: SummaryCheck<T>,
): string[] {
  if (answer.finish === 'tool-calls') return ['it was a tool call instead of a summary']
  if (answer.finish === 'content-filter') return ['it was refused by a content filter']
  if (answer.finish === 'error') return ['it ended in an error']
  const said = readAnswer(answer.text, template)
  if (said.text === '') return ['it was empty']
  if (isRefusal(said)) return ['it was a refusal']
  if (saysNothing(said)) return ['it said nothing under any of its headings']
  if (hasSection(said, template)) return []
  if (said.text.length < leastCharacters) {
    return [`it had ${said.text.length} characters and none of the headings`]
  }
  const least = Math.min((replaced ?? 0) * leastShare, enough)
  const tokens = count(said.text)
  if (tokens >= least) return []
  return [`it had none of the headings, and ${tokens} tokens in place of ${replaced ?? 0}`]
}

/** Whether something stands under a heading that was asked for: the record completes the others. */
function hasSection({ sections }: ParsedSummary, template: Template): boolean {
  const asked = new Set(template.sections.map(({ heading }) => headingKey(heading)))
  return sections.some(
    ({ heading, body }) =>
      asked.has(headingKey(heading)) && body !== '' && !nothing.test(body.slice(0, beginning)),
  )
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
