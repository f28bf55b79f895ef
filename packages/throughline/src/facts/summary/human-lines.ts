import { mayContradict } from '../human/change-of-mind.ts'
import { humanQuotesNote, modelsLabel } from '../labels.ts'
import { laterLabel, looseLabel } from '../human/withdraw.ts'
import { beginsHere, clippedBelow } from '../request-place.ts'
import { clipEnd } from './clip-words.ts'
import { withoutBlankEnds } from '../human/blank-ends.ts'
import { labeled } from '../../log/speaker.ts'
import type { QuoteMarker } from './human-quotes.ts'
import type { Facts, LaterWords, RuleFact } from '../facts.ts'

/** How much the lines may take. */
export interface LinesRoom {
  tokens: number
  count: (text: string) => number
}

/**
 * The human's standing rules, word for word, and the withdrawn ones, which are listed as such. Only
 * code writes such lines, each on lines of its own: what anybody else writes neither makes a rule
 * nor hides or revokes one. Where there is no room for all, those that were taken back go first;
 * then rules are clipped, the oldest first, and of very many the oldest are only counted.
 */
export function ruleLines({ rules }: Pick<Facts, 'rules'>, room: LinesRoom): string[] {
  const standing = rules.filter(({ retractedBy }) => retractedBy === undefined).map(ruleLine)
  const costs = standing.map((line) => room.count(`${line}\n`))
  const cost = sum(costs)
  if (cost > room.tokens) return clippedRules(rules, { costs, cost, room })
  const taken = rules.flatMap(retractedLine)
  const rest = [...taken, ...contradictionNote(rules)]
  return [...standing, ...newestWithin(rest, room.tokens - cost, room)]
}

/** Code takes back only what surely is: of rules that may differ, the model reads which is newer. */
function contradictionNote(rules: readonly RuleFact[]): string[] {
  const inForce = rules.filter(({ retractedBy }) => retractedBy === undefined)
  if (!mayContradict(inForce)) return []
  return [
    '(Rules are listed oldest first. Where two of them contradict each other, the newer holds.)',
  ]
}

function ruleLine({ text, seq, later = [] }: RuleFact): string {
  return [`- ${onOwnLines(text)} [${seq}]`, ...later.map(laterLine)].join('\n')
}

function laterLine({ text, seq, loose }: LaterWords): string {
  return `  ${loose ? looseLabel : laterLabel} “${text}” [${seq}]`
}

function retractedLine({ text, seq, retractedBy, later = [] }: RuleFact): string[] {
  if (retractedBy === undefined) return []
  const line = `- Taken back [${retractedBy}]: ${onOwnLines(text)} [${seq}]`
  return [[line, ...later.map(laterLine)].join('\n')]
}

/** A rule of several lines keeps them; none can be mistaken for another rule, a heading or a fence. */
function onOwnLines(text: string): string {
  return text.trim().replace(/\n/g, '\n  ')
}

/** What is left of a rule that had to be clipped, in characters. */
const clippedRule = 60

function clippedRules(
  rules: readonly RuleFact[],
  { costs, cost, room }: { costs: readonly number[]; cost: number; room: LinesRoom },
): string[] {
  const standing = rules.filter(({ retractedBy }) => retractedBy === undefined)
  const lines = standing.map(ruleLine)
  const held = [...costs]
  let total = cost
  for (const [at, { text, seq }] of standing.entries()) {
    if (total <= room.tokens) break
    const line = ruleLine({ text: clipEnd(text.split('\n', 1)[0] ?? '', clippedRule), seq })
    const now = room.count(`${line}\n`)
    const before = held[at] ?? 0
    if (now >= before) continue
    total += now - before
    held[at] = now
    lines[at] = line
  }
  let gone = 0
  const note = (): string => `(${gone} older rules of the human are left out here.)`
  const noted = (): number => (gone === 0 ? 0 : room.count(`${note()}\n`))
  while (gone < lines.length && total + noted() > room.tokens) {
    total -= held[gone] ?? 0
    gone += 1
  }
  const kept = lines.slice(gone)
  return gone > 0 && total + noted() <= room.tokens ? [note(), ...kept] : kept
}

/** The newest of these lines that fit, in their order. */
function newestWithin(lines: readonly string[], tokens: number, { count }: LinesRoom): string[] {
  const kept: string[] = []
  let left = tokens
  for (const line of lines.toReversed()) {
    left -= count(`${line}\n`)
    if (left < 0) break
    kept.push(line)
  }
  return kept.toReversed()
}

export function sum(costs: readonly number[]): number {
  return costs.reduce((all, cost) => all + cost, 0)
}

/** A longer request is in the tail and can be read back by its ref; in characters. */
export const longestRequest = 2000

/** How much of a request is needed to recognize it if the whole is next to the summary, in characters. */
const recognized = 96

/**
 * The human's latest request under its label, word for word and quoted line by line, so that nothing
 * in it can pass for a line of the summary. Its middle is left out where it is longer than `most`
 * characters, and its end where the whole of it stands beside.
 */
export function requestLines(
  { requests }: Pick<Facts, 'requests'>,
  { beside = [], most }: { beside?: readonly string[] | undefined; most: number },
): string[] {
  const latest = requests.at(-1)
  if (latest === undefined) return []
  const words = withoutBlankEnds(latest.text)
  const stands = beside.some((text) => text.includes(words))
  const clipped = !stands && beside.some((text) => standsClipped(words, text))
  const told = stands
    ? clipEnd(words, recognized)
    : shortened(words, clipped ? Math.min(most, 2 * endOfClipped) : most)
  const where = stands && told !== words ? beginsHere : clipped ? clippedBelow : ''
  return [`${requestLabel}${latest.seq}]${where}:`, ...quoteWhole(labeled(told, latest))]
}

/** How the line above the latest request begins. */
export const requestLabel = 'Latest request ['

/** How much of each end of a clipped request is always shown, in characters. */
const endOfClipped = 120

/** Whether a text next to the summary shows both ends of a long request. */
export function standsClipped(
  words: string,
  beside: { includes: (text: string) => boolean },
): boolean {
  if (words.length < 4 * endOfClipped) return false
  const ends = [words.slice(0, endOfClipped), words.slice(-endOfClipped)]
  return ends.every((end) => beside.includes(end.toWellFormed().trim()))
}

function shortened(words: string, most: number): string {
  if (words.length <= most) return words
  return `${words.slice(0, most / 2)}\n…\n${words.slice(-most / 2)}`.toWellFormed()
}

/** A text as quoted lines, with its layout. */
function quoteWhole(text: string): string[] {
  return text.split('\n').map((line) => (line.trim() === '' ? '>' : `> ${line}`))
}

/**
 * What a model wrote under Instructions: apart from the human's, and marked as a model's, but for
 * what it quotes of them.
 */
export function modelsLines(words: string, quoted: QuoteMarker): string[] {
  const marked = quoted(words)
  const note = marked === words ? [] : [humanQuotesNote]
  return [modelsLabel, ...note, ...quoteWhole(marked)]
}

const quotedLabel = 'In a file or from a program, not surely said by the human:'

/** Text that reads like a rule but may come from a file: quoted, so that it is not taken for one. */
export function quotedLines({ quoted = [] }: Pick<Facts, 'quoted'>): string[] {
  if (quoted.length === 0) return []
  return [quotedLabel, ...quoted.map(({ text }) => `> ${text.replace(/\s+/g, ' ')}`)]
}
