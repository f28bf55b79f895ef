import { humanQuotesNote, modelsLabel } from '../../facts/labels.ts'
import { laterLabel, looseLabel } from '../../facts/human/withdraw.ts'
import { requestPlace } from '../../facts/request-place.ts'
import { withoutBackground } from '../../facts/background/told-background.ts'
import { coreSection } from '../../facts/summary/sections/core-sections.ts'
import { goal } from '../../facts/summary/sections/goal.ts'
import { instructions } from '../../facts/summary/sections/instructions.ts'
import type { Facts } from '../../facts/facts.ts'

/** How the lines begin that code alone writes of what the human said. */
const ownLine =
  /^([\s>*_#-]{0,12})((?:the )?(?:latest request|request of the human|session began with|in between|what the human said|where the work stands)\b|taken back\b|pinned\b|in the words of a model\b)/i

/** Put in front of a line that would pass for one of code's. */
const mark = 'The model wrote: '

/**
 * Somebody's words without lines that could pass for those that code writes of what the human said:
 * they are marked as the model's. The lines `right` are code's own.
 */
export function withoutImitations(text: string, right: ReadonlySet<string> = nothing): string {
  const marked = (line: string): string =>
    line.replace(ownLine, (_, before: string, words: string) => before + mark + words)
  return text
    .split('\n')
    .map((line) => (right.has(line) ? line : marked(line)))
    .join('\n')
}

const nothing: ReadonlySet<string> = new Set()

/**
 * A body without what code writes by itself: rules and take-backs that a summarizer copied from the
 * summary before, or that a hook gave back, and the labels around them.
 */
export function withoutRepeats(body: string, heading: string, facts: Facts): string {
  const core = coreSection(heading)
  if (core === instructions) return withoutRules(body, facts)
  const told = withoutBackground(body)
  return core === goal ? withoutRequest(told) : told
}

function withoutRules(body: string, { rules }: Facts): string {
  const lines = rules.flatMap(({ text, later = [] }) => [
    ...text.trim().split('\n'),
    ...later.map(({ text: said, loose }) => `${loose ? looseLabel : laterLabel} “${said}”`),
  ])
  const known = new Set(lines.map(plain))
  return body
    .split('\n')
    .map((line) => line.replace(/^(?:> ?)+/, ''))
    .filter((line) => !labels.has(plain(line)))
    .filter((line) => line.trim() === '' || !known.has(plain(line)))
    .join('\n')
    .trim()
}

const labels: ReadonlySet<string> = new Set([modelsLabel, humanQuotesNote].map(plain))

const requestHead = new RegExp(`^Latest request(?: \\[[^\\]\n]{1,40}\\])?(?:${requestPlace})?:$`)

/** Without the block in which code quotes the latest request. */
function withoutRequest(body: string): string {
  const kept: string[] = []
  let quoted = false
  for (const line of body.split('\n')) {
    quoted = requestHead.test(line) || (quoted && line.startsWith('>'))
    if (!quoted) kept.push(line)
  }
  return kept.join('\n').trim()
}

/** In characters: a shorter line may occur in a message by chance. */
const shortestQuote = 12

/**
 * Somebody's summary without the lines that repeat what the human said: those messages stand above,
 * in the same words. A label that introduced nothing else goes with them.
 */
export function withoutHumanWords(text: string, { requests }: Pick<Facts, 'requests'>): string {
  const said = requests.map((request) => plain(request.text)).join('\n')
  const kept: { line: string; gone: boolean }[] = text.split('\n').map((line) => {
    const words = plain(line.replace(/^[\s>]{0,12}(?:[-*•]|\d{1,3}[.)])\s{1,4}/, ''))
    const whole = words.replace(/ ?(?:…|\.\.\.)$/, '').trim()
    return { line, gone: whole.length >= shortestQuote && said.includes(whole) }
  })
  return kept
    .filter(({ line, gone }, at) => !gone && !(isLabel(line) && introducesOnlyGone(kept, at)))
    .map(({ line }) => line)
    .join('\n')
}

function isLabel(line: string): boolean {
  return /[:：]\W{0,4}$/.test(line.slice(-6))
}

/** Whether all lines nested below this one are gone. */
function introducesOnlyGone(
  lines: readonly { line: string; gone: boolean }[],
  at: number,
): boolean {
  const depth = (line: string): number => line.search(/\S/)
  const own = depth(lines[at]?.line ?? '')
  let some = false
  for (const { line, gone } of lines.slice(at + 1)) {
    if (line.trim() === '') continue
    const isItem = /^\s*[-*•] /.test(line)
    if (depth(line) <= own && !(isItem && depth(line) === own)) break
    if (!gone) return false
    some = true
  }
  return some
}

/** A line without its marks, its ref, and what says that it was taken back. */
function plain(line: string): string {
  return line
    .replace(/(?: \[(?:q[0-9a-z]{5}:)?\d{1,15}\])+$/, '')
    .replace(/^[\s>*_-]{0,12}(?:taken back(?: \[[^\]\n]{1,40}\])?: )?/i, '')
    .toLowerCase()
    .replace(/[\s.!,"'*_`]+/g, ' ')
    .trim()
}
