/**
 * The smallest part of a statement that can be kept by itself: a sentence, an item of a list, a
 * row of a table, a block of code.
 */
export interface Unit {
  /** Word for word; blocks of code have several lines. */
  text: string
  /** The line of the statement in which it begins. */
  line: number
  /** The position of what introduces it: a heading, the sentence before a list, an outer item; or -1. */
  lead: number
  /** It only introduces others and says nothing alone. */
  isLead: boolean
}

/** What begins with a letter is words and nothing else: no pattern below needs to be asked. */
const WORDS = /^\p{L}/u
const HEADING = /^\s{0,3}#{1,6} \S/
const TITLE = /^\s{0,3}(?:\*\*[^*]{1,160}\*\*|__[^_]{1,160}__):?\s{0,3}$/
/** Where a block of code begins or ends. */
export const FENCE = /^\s{0,12}(?:```|~~~)/
const ITEM = /^\s{0,24}(?:[-*+•]|\d{1,3}[.)]) \S|^\s{0,12}\|/
const RULER = /^[\s|:=_*-]{1,400}$/
const INTRODUCES = /[:：]\W{0,3}$/
const OPENS = /^\s{0,24}(?:[-*+•]|\d{1,3}[.)]) [^`\n]{1,40}[:：]\W{0,3}$/
const LONGEST_LEAD = 240
const LONGEST_WHOLE_ITEM = 400
/** A longer block of code is kept in pieces. */
const LINES_OF_CODE = 24

// A line belongs to the nearest line above it with a lower level.
const LEVELS = { heading: 1, title: 2, paragraph: 3, item: 4 } as const

/** The units of a text in Markdown or in plain words, in order. */
export function unitsOf(text: string): Unit[] {
  const units: Unit[] = []
  /** What the next line may belong to, the outermost first. */
  const above: { level: number; at: number }[] = []
  let code: string[] | undefined
  let start = 0
  const push = (text: string, line: number, isLead = false): number =>
    units.push({ text, line, lead: above.at(-1)?.at ?? -1, isLead }) - 1
  const endCode = (): void => {
    for (const piece of piecesOfCode(code ?? [])) push(piece, start)
    code = undefined
  }
  const lines = text.split('\n')
  for (let line = 0; line < lines.length; line++) {
    const words = (lines[line] as string).trimEnd()
    if (code !== undefined) {
      code.push(words)
      if (FENCE.test(words)) endCode()
      continue
    }
    const isMarked = !WORDS.test(words)
    if (isMarked && FENCE.test(words)) {
      code = [words]
      start = line
      continue
    }
    if (words === '' || (isMarked && RULER.test(words))) continue
    const isItem = isMarked && ITEM.test(words)
    const level = isMarked ? levelOf(words, isItem) : LEVELS.paragraph
    while ((above.at(-1)?.level ?? 0) >= level) above.pop()
    const introduces = words.length <= LONGEST_LEAD && INTRODUCES.test(words.slice(-8))
    const isLead = level < LEVELS.paragraph || (introduces && !isItem)
    if (isLead || (isItem && words.length <= LONGEST_WHOLE_ITEM)) {
      above.push({ level, at: push(words, line, isLead) })
    } else for (const sentence of sentencesIn(words)) push(sentence, line)
  }
  endCode()
  // “- Supports:” introduces its list as a sentence does.
  for (const { lead } of units) {
    const outer = units[lead]
    if (outer && OPENS.test(outer.text)) outer.isLead = true
  }
  return units
}

function levelOf(line: string, isItem: boolean): number {
  if (HEADING.test(line)) return LEVELS.heading
  if (TITLE.test(line)) return LEVELS.title
  const indent = line.search(/\S/)
  return indent >= 2 || isItem ? LEVELS.item + indent : LEVELS.paragraph
}

/** Each piece is a whole block by itself. */
function piecesOfCode([open = '', ...rest]: readonly string[]): string[] {
  const body = FENCE.test(rest.at(-1) ?? '') ? rest.slice(0, -1) : rest
  const close = /^\s{0,12}(?:`{3,}|~{3,})/.exec(open)?.[0]
  if (close === undefined) return []
  const pieces: string[] = []
  for (let at = 0; at === 0 || at < body.length; at += LINES_OF_CODE) {
    pieces.push([open, ...body.slice(at, at + LINES_OF_CODE), close].join('\n'))
  }
  return pieces
}

const END = /[.!?]["'’”)*`_]{0,4}(?=\s)|[。！？]["'’”)*`_]{0,4}/g
const SHORTEST_SENTENCE = 40
const SHORTEST_UNSPACED = 13
const ABBREVIATION = /(?:e\.g|i\.e|etc|vs|cf|approx|z\.B|bzw|т\.е)\.$/
const LONGEST_SENTENCE = 600
/** A sentence without an end is cut between words. */
const PIECE = new RegExp(String.raw`.{1,${LONGEST_SENTENCE}}(?!\S)|.{1,${LONGEST_SENTENCE}}`, 'gsu')

/** The sentences of a line; its indentation stays with the first. */
function sentencesIn(line: string): string[] {
  const sentences: string[] = []
  let start = 0
  let isFirst = true
  const take = (end: number): void => {
    const whole = line.slice(start, end)
    start = end
    for (const piece of whole.length <= LONGEST_SENTENCE ? [whole] : (whole.match(PIECE) ?? [])) {
      const words = piece.trim()
      if (words !== '') sentences.push(isFirst ? piece : words)
      isFirst = false
    }
  }
  END.lastIndex = 0
  for (let found = END.exec(line); found !== null; found = END.exec(line)) {
    const { index, 0: mark } = found
    const end = index + mark.length
    const shortest = mark.charCodeAt(0) < 128 ? SHORTEST_SENTENCE : SHORTEST_UNSPACED
    if (end - start < shortest || ABBREVIATION.test(line.slice(Math.max(end - 8, 0), end))) continue
    if (end - start < LONGEST_SENTENCE && isInCode(line.slice(start, index))) continue
    take(end)
  }
  take(line.length)
  return sentences
}

/** Whether code in backticks begins here and goes on. */
function isInCode(text: string): boolean {
  return text.split('`').length % 2 === 0
}

/** The marker in a clipped text for what is left out, whatever its ref. */
const CLIPPED = /\s{0,4}\[… left out here[^\]\n]{0,120}\]\s{0,4}/g

const PLACEHOLDER =
  /(?:^|\n)\[Attached [^\]\n]{1,200}\](?: \[… left out here[^\]\n]{0,120}\])?(?=\n|$)|^\[… left out here[^\]\n]{0,120}\]$/g

/** A text that Throughline wrote before, without the markers for parts that it left out. */
export function withoutPlaceholders(text: string): string {
  return text.replace(PLACEHOLDER, '')
}

/** A clipped text with a sign for what is left out, and without the sentences that were cut there. */
export function withoutTornSentences(text: string): string {
  const pieces = text.split(CLIPPED)
  return pieces
    .map((piece, at) => {
      const begun = at === 0 ? piece : piece.replace(TORN, '')
      return at === pieces.length - 1 ? begun : toWhole(begun)
    })
    .filter((piece) => piece.trim() !== '')
    .join('\n…\n')
}

/** The beginning of the first line, before the first sentence that begins there. */
const TORN = /^[^\n.!?。！？]*(?:[.!?]["'’”)*`_]{0,4}\s+|[。！？])(?=\S)/
const WHOLE = /[.!?…。！？:;|`*)\]]\s{0,4}$/

/** To the last sentence that ends in the last line, if one does. */
function toWhole(text: string): string {
  const start = text.lastIndexOf('\n') + 1
  const end = [...text.slice(start).matchAll(END)].at(-1)
  if (end === undefined || WHOLE.test(text.slice(-6))) return text
  return text.slice(0, start + end.index + end[0].length)
}
