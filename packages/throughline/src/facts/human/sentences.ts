import { fenceAfter, fenceOf } from './fences.ts'
import { quotations } from './own-word.ts'

/** A sentence or a bullet of the human's prose, word for word. */
export interface Sentence {
  text: string
  question: boolean
}

/** Longer sentences are pasted. */
const LONGEST = 600
const SHORTEST = 4

/** Text that was pasted rather than said: quotations, consoles, logs, tables, code, data. */
const PASTED: readonly RegExp[] = [
  /^(?:>|\||❯|➜|⏺|⎿|\$ |% |#{1,6} |<\/?[a-zA-Z!]|\{|\}|\[\{|\/\/|\/\*|\* @|@@ |diff --git|[+-]{3} )/,
  /^(?:at \S+ \(|Traceback|=== |--- (?:PASS|FAIL)|(?:FAIL|PASS)\s|ok\s+\S+\s+(?:\d|\()|\[(?:[A-Z]+|[\d_a-z]+)\]\s|\w+(?:Error|Exception): )/,
  /^\[?\d{4}-\d{2}-\d{2}[T ]|^\w{3} {1,2}\d{1,2} \d{2}:\d{2}|\|(?:DEBU|INFO|WARN|ERRO)\w*\||\b\d{2}:\d{2}:\d{2}\.\d+/,
  /^(?:import|export|const|let|var|func|def|class|return|if \(|for \(|while \(|public|private|package|use strict)\b.*[;{(]\s*$/,
  /^(?:user|human|assistant|system|tool|ai|agent|model): /i,
  /^(?:ERROR|WARNING|WARN|FATAL|[Ee]rror|[Ff]atal|[Ee]xception): /,
  /[;{}]\s*$|=>|^\s*\w+\s*[:=]\s*["'{[\d]|\w\(\w*\)\s*[;{]/,
]

/** The sentences that the human says, without code, quotations and pasted text. */
export function sentencesOf(words: string): Sentence[] {
  const sentences: Sentence[] = []
  const lines = unquoted(words).split('\n')
  const lastMark = lines.findLastIndex((line) => line.includes('```'))
  let fence = ''
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim()
    const before = fence
    fence = fenceAfter(line, before)
    // Nothing closes it: it is only spoken of.
    if (before === '' && index === lastMark && fenceOf(line) === '') fence = ''
    if (before !== '' || fenceOf(line) !== '') continue
    const own = fence === '' ? line : line.slice(0, line.lastIndexOf(fence))
    if (!isPasted(own)) takeSentences(own, sentences)
  }
  return sentences
}

/**
 * A message that is quoted as a whole quotes nobody: `opencode run "…"` stores every prompt so.
 */
export function unquoted(words: string): string {
  const text = words.trim()
  const quote = text[0]
  if (text.length < 2 || (quote !== '"' && quote !== "'") || text.at(-1) !== quote) return words
  const inner = text.slice(1, -1)
  return inner.replaceAll(`\\${quote}`, '').includes(quote) ? words : inner
}

export function isPasted(line: string): boolean {
  const start = line.slice(0, 300)
  return PASTED.some((sign) => sign.test(start))
}

function takeSentences(line: string, sentences: Sentence[]): void {
  const text = line.replace(/^(?:[-*+•–]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/, '')
  const quoted = quotationsIn(text)
  let start = 0
  for (const { index, 0: marks } of text.matchAll(/[.!?。！？]["'’”»›」』)*_`!?。！？.]*/g)) {
    const end = index + marks.length
    if (!endsSentence(text, index, end)) continue
    // Whole sentences inside a quotation are another person's.
    take(text.slice(start, quoted(start, end)), sentences)
    start = end
  }
  take(text.slice(start), sentences)
}

/** Where the human's own words end in a part of a line: several sentences in quotation marks are not. */
function quotationsIn(line: string): (start: number, end: number) => number {
  const pairs = Array.from(line.matchAll(quotations), ({ index, 0: whole }) => ({
    from: index,
    to: index + whole.length,
  }))
  return (start, end) => {
    const pair = pairs.find(
      ({ from, to }) => from < end && (end < to || (start > from && end === to)),
    )
    return pair === undefined ? end : Math.max(start, pair.from)
  }
}

function take(part: string, sentences: Sentence[]): void {
  const text = part.trim()
  if (text.length < SHORTEST || text.length > LONGEST || isTorn(text)) return
  sentences.push({ text, question: asks(text) })
}

/** Half of a quotation doesn't count as a sentence. */
function isTorn(text: string): boolean {
  return text.split('"').length % 2 === 0
}

const ABBREVIATIONS =
  /(?:^|[\s(])(?:e\.g|i\.e|dr|mr|mrs|ms|prof|st|etc|vs|cf|approx|z\.B|d\.h|bzw|usw|p\.ej|т\.е|т\.д|v\.v|[A-Z])\.$/i

function endsSentence(text: string, at: number, end: number): boolean {
  const sign = text[at] as string
  if (sign === '。' || sign === '！' || sign === '？') return true
  if (end < text.length && !/\s/.test(text[end] as string)) return false
  return sign !== '.' || !ABBREVIATIONS.test(text.slice(Math.max(0, at - 8), at + 1))
}

/** Words that begin a question when its question mark is missing. */
const INTERROGATIVE =
  /^(?:(?:and|but|so|ok(?:ay)?|hmm+|also|wait|then)[, ]+)*(?:what|why|how|where|which|who|whose|when (?:is|are|was|were|will|does|do|did|can|could|should|would)\b|(?:is|are|was|were|does|do|did|can|could|would|will|has|have|should) (?:it|this|that|there|these|those|the|you|we|i|they|he|she|my|our|your)\b)/i

/** Wants no answer but yes. */
const TAG =
  /, *(?:ok(?:ay)?|deal|agreed|vale|d['’]accord|capito|verstanden|klar|entendido|домовились|договорились|ок|oké|tamam|好吗)\?\W{0,3}$/i

function asks(text: string): boolean {
  return (/[?？]\W{0,3}$/.test(text) && !TAG.test(text)) || INTERROGATIVE.test(text)
}
