import { headingKey } from '../../facts/heading-key.ts'
import type { ParsedSummary } from '../../facts/sections.ts'
import { greeting, readAnswer } from './arrange.ts'
import type { Template } from './template.ts'

const refusal = new RegExp(
  [
    String.raw`\bi(?:['’]m| am) (?:(?:very |so )?sorry|unable to|not able to|not comfortable|afraid i)`,
    String.raw`^sorry\b`,
    String.raw`\bi (?:can(?:not|['’]t)|won['’]t|will not|must decline to|decline to) (?:be able to |help|assist|comply|do that|summari[sz]e|continue|provide|fulfil|create|write|support|share)`,
    String.raw`\bas an ai\b`,
    String.raw`\bagainst my (?:guidelines|polic)`,
    // A model that was given nothing has nothing to summarize.
    String.raw`\bi (?:do not|don['’]t) (?:see|have) (?:any|a|the) (?:previous |prior )?conversation`,
    String.raw`\bno conversation (?:was |has been )?(?:provided|given|to summari[sz]e)`,
    String.raw`\bthere is nothing to summari[sz]e`,
    // Excuses at the beginning of an answer, in other languages.
    String.raw`^(?:es tut mir leid|tut mir leid|leider kann ich|lo siento|(?:je suis )?désolée?\b|desculpe|sinto muito|mi dispiace|het spijt me|przykro mi|üzgünüm|maaf,|xin lỗi|извините|простите|к сожалению, я не|вибачте|на жаль, я не|(?:很|非常)?抱歉|对不起|對不起|申し訳|すみません|죄송)`,
  ].join('|'),
  'i',
)

// A refusal comes at the beginning; later matches may be about the work.
const beginning = 300

const nothing = /^[-*\s]*\(?(?:none|nothing recorded|n\/a)?\.?\)?$/i

/** The answer to a request for a summary, and how it ended. */
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

// Less than this without any heading is an acknowledgment, not a summary. In some scripts a character
// says as much as a word.
const leastCharacters = 200
const leastTokens = 60

/**
 * What makes an answer unfit to replace history; empty if nothing does. A bad summary never does. But
 * a short or partial one is better than none: wrappers and odd headings, missing sections, an end that
 * was cut off and too great a length are repaired afterwards, and the record fills the room that it
 * leaves.
 */
export function summaryProblems<T extends number>(
  answer: AnsweredText,
  { template, count, replaced }: SummaryCheck<T>,
): string[] {
  if (answer.finish === 'tool-calls') return ['it was a tool call instead of a summary']
  if (answer.finish === 'content-filter') return ['it was refused by a content filter']
  if (answer.finish === 'error') return ['it ended in an error']
  const said = readAnswer(answer.text, template)
  if (said.text === '') return [answer.text.trim() === '' ? 'it was empty' : 'it held no summary']
  if (isRefusal(said)) return ['it was a refusal']
  if (saysNothing(said)) return ['it said nothing under any of its headings']
  const headed = hasSection(said, template)
  if (!headed && answer.finish === 'length' && isLoop(said.text))
    return ['it said the same words on and on']
  if (headed || said.text.length >= leastCharacters || count(said.text) >= leastTokens) return []
  return [`it had ${said.text.length} characters and none of the headings${inPlaceOf(replaced)}`]
}

function inPlaceOf(replaced: number | undefined): string {
  return replaced === undefined ? '' : ` in place of ${replaced} tokens`
}

/** Whether a requested section has content; the record completes the others. */
function hasSection({ sections }: ParsedSummary, template: Template): boolean {
  const asked = new Set(template.sections.map(({ heading }) => headingKey(heading)))
  return sections.some(
    ({ heading, body }) =>
      asked.has(headingKey(heading)) && body !== '' && !nothing.test(body.slice(0, beginning)),
  )
}

// Prose of any length has more different words than this.
const leastDifferent = 0.05
const manyWords = 200

/** Whether a text that did not end by itself was caught in a loop. */
function isLoop(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.length > manyWords && new Set(words).size < words.length * leastDifferent
}

/** In plain words, with or without the requested headings. */
function isRefusal({ preamble, sections }: ParsedSummary): boolean {
  const said = sections.length === 0 ? [preamble] : sections.map(({ body }) => body)
  const bodies = said.filter((body) => !nothing.test(body.slice(0, beginning)))
  return bodies.length > 0 && bodies.every((body) => refusal.test(body.slice(0, beginning)))
}

/** A few words before the first heading are addressed to the caller and are not part of the summary. */
function saysNothing({ preamble, sections }: ParsedSummary): boolean {
  const loose = sections.length > 0 && preamble.length <= greeting ? '' : preamble
  return loose === '' && sections.every(({ body }) => nothing.test(body.slice(0, beginning)))
}
