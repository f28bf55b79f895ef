/**
 * The smallest part of a statement that can be kept by itself: a sentence, an item of a list, a
 * row of a table, a block of code.
 */
export interface Unit {
  /** Word for word; blocks of code have several lines. */
  text: string
  /** It goes on in the line of the unit before it. */
  joins: boolean
  /** What introduces it, by position: a heading, or the sentence before a list. They come along. */
  leads: readonly number[]
  /** It only introduces others and says nothing alone. */
  isLead: boolean
  /** It goes on with the code of the unit before it, in a fence of its own. */
  goesOn?: true
}

const HEADING = /^\s{0,3}(?:#{1,6} \S|\*\*[^*]{1,160}\*\*:?\s{0,3}$|__[^_]{1,160}__:?\s{0,3}$)/
const FENCE = /^\s{0,12}(?:```|~~~)/
const ITEM = /^\s{0,24}(?:[-*+•]|\d{1,3}[.)]) \S/
const ROW = /^\s{0,12}\|/
const RULER = /^[\s|:=_*-]{1,400}$/
const LONGEST_LEAD = 240
const LONGEST_WHOLE_ITEM = 400
const LEADS_ON = /[:：]\W{0,3}$/
/** A sentence that stands on both sides of a block of code. */
const GOES_ON = /^\p{Ll}[\p{L}'’-]{0,20}[ ,]/u
/** A longer block of code is kept in pieces. */
const LINES_OF_CODE = 24

/** The units of a text in Markdown or in plain words, in order. */
export function unitsOf(text: string): Unit[] {
  const units: Unit[] = []
  let heading = -1
  /** A line in bold below that heading. */
  let title = -1
  let lead = -1
  let code: string[] | undefined
  /** The items of the list that the current line may stand in, the outermost first. */
  let items: { indent: number; at: number }[] = []
  let blank = true
  const push = (unit: Unit): number => units.push(unit) - 1
  /** The block of code that a sentence may go on behind. */
  let before = -1
  const headings = (): number[] => [heading, title].filter((at) => at >= 0)
  const leads = (): number[] =>
    [...headings(), lead, ...items.map(({ at }) => at)].filter((at) => at >= 0)
  const endCode = (): void => {
    if (code === undefined) return
    pushCode(code, leads(), push)
    code = undefined
    before = units.length - 1
  }
  for (const line of text.split('\n')) {
    // Nothing but words begins with a letter.
    const words = isLetter(line.charCodeAt(0))
    if (code !== undefined) {
      code.push(line.trimEnd())
      if (!words && FENCE.test(line)) endCode()
    } else if (words) {
      if (blank) lead = -1
      items = []
      const above = headings()
      if (introduces(line)) {
        lead = push({ text: line.trimEnd(), joins: false, leads: above, isLead: true })
      } else {
        const code = GOES_ON.test(line) ? units[before] : undefined
        pushSentences(line, code === undefined ? above : [...code.leads, before], push)
      }
      blank = false
      before = -1
    } else if (FENCE.test(line)) {
      code = [line.trimEnd()]
    } else if (line.trim() === '') {
      blank = true
    } else if (RULER.test(line)) {
      blank = false
    } else if (HEADING.test(line)) {
      items = []
      title = -1
      const isTitle = !line.trimStart().startsWith('#')
      const at = push({
        text: line.trim(),
        joins: false,
        leads: isTitle ? headings() : [],
        isLead: true,
      })
      if (isTitle) title = at
      else heading = at
      lead = -1
      blank = false
      before = -1
    } else {
      before = -1
      const item = ITEM.test(line) || ROW.test(line)
      const indent = line.search(/\S/)
      const deeper = indent >= 2
      if (!item && !deeper && blank) lead = -1
      if (!item && !deeper) items = []
      items = items.filter((above) => above.indent < indent)
      if (!item && introduces(line)) {
        const above = headings()
        lead = push({ text: line.trimEnd(), joins: false, leads: above, isLead: true })
      } else if (item && line.length <= LONGEST_WHOLE_ITEM) {
        const at = push({ text: line.trimEnd(), joins: false, leads: leads(), isLead: false })
        items.push({ indent, at })
      } else {
        const above = item || deeper ? leads() : headings()
        pushSentences(line, above, push)
      }
      blank = false
    }
  }
  endCode()
  return units
}

function isLetter(code: number): boolean {
  const lower = code | 32
  return lower >= 97 && lower <= 122
}

function introduces(line: string): boolean {
  return line.length <= LONGEST_LEAD && LEADS_ON.test(line.slice(-8))
}

/** A long block in pieces, each of which is a whole block by itself. */
function pushCode(code: readonly string[], leads: number[], push: (unit: Unit) => number): void {
  const [open = '', ...rest] = code
  const closed = rest.length > 0 && FENCE.test(rest.at(-1) ?? '')
  const body = closed ? rest.slice(0, -1) : rest
  const close = /^\s{0,12}(?:`{3,}|~{3,})/.exec(open)?.[0] ?? '```'
  for (let at = 0; at === 0 || at < body.length; at += LINES_OF_CODE) {
    const text = [open, ...body.slice(at, at + LINES_OF_CODE), close].join('\n')
    push({ text, joins: false, leads, isLead: false, ...(at > 0 && { goesOn: true }) })
  }
}

/** It says something of the sentence before it. */
const POINTS_BACK =
  /^(?:(?:however|additionally|otherwise|instead|still|then|therefore|this|that|these|those|it|they|another|both|jedoch|außerdem|dies(?:e[rs]?)?|deshalb|además|esto|eso|por eso|cependant|cela|donc|porém|isso|isto|однако|это|поэтому|điều này)(?!\p{L})|(?:因此|所以|这|它|しかし|それ|これ))/iu

function pushSentences(line: string, leads: number[], push: (unit: Unit) => number): void {
  let last = -1
  let own = leads
  sentencesIn(line.trimEnd()).forEach((text, at) => {
    // A sentence that points back comes with the one that it points to.
    own = at > 0 && POINTS_BACK.test(text) ? [...leads, last] : leads
    last = push({ text, joins: at > 0, leads: own, isLead: false })
  })
}

const SHORTEST_SENTENCE = 40
const LONGEST_SENTENCE = 600
const ABBREVIATION = /(?:e\.g|i\.e|etc|vs|cf|approx|z\.B|bzw|т\.е)\.$/

/** What may follow the mark that ends a sentence, at most four of them. */
const CLOSING = `"'’”)*\`_`

/** The marks `.`, `!` and `?`. */
function isMark(code: number): boolean {
  return code === 46 || code === 33 || code === 63
}

/** The marks `。`, `！` and `？`. */
function isWideMark(code: number): boolean {
  return code === 0x3002 || code === 0xff01 || code === 0xff1f
}

function sentencesIn(line: string): string[] {
  const sentences: string[] = []
  let start = 0
  const take = (end: number): void => {
    const text = start === 0 ? line.slice(0, end) : line.slice(start, end).trim()
    if (text.trim() !== '') sentences.push(...inPieces(text))
    start = end
  }
  for (let at = 0; at < line.length; at++) {
    const mark = line.charCodeAt(at)
    if (mark === BACKTICK) {
      at = endOfSpan(line, at)
      continue
    }
    const wide = isWideMark(mark)
    if (!wide && !isMark(mark)) continue
    let end = at + 1
    while (end < at + 5 && CLOSING.includes(line[end] ?? ' ')) end++
    at = end - 1
    if (!wide && end < line.length && !/\s/.test(line[end] ?? '')) continue
    if (end - start < (wide ? SHORTEST_SENTENCE / 3 : SHORTEST_SENTENCE)) continue
    if (ABBREVIATION.test(line.slice(Math.max(start, end - 8), end))) continue
    take(end)
  }
  take(line.length)
  return sentences
}

const BACKTICK = 96
const LONGEST_SPAN = 200

/** The last character of the code in backticks that begins here; of none, the backtick itself. */
function endOfSpan(line: string, start: number): number {
  let from = start + 1
  while (line.charCodeAt(from) === BACKTICK && from < start + 3) from++
  const end = line.slice(from, from + LONGEST_SPAN).indexOf(line.slice(start, from))
  return end < 0 ? from - 1 : from + end + (from - start) - 1
}

/** A sentence without an end is cut between words. */
function inPieces(text: string): string[] {
  if (text.length <= LONGEST_SENTENCE) return [text]
  const pieces: string[] = []
  let rest = text
  while (rest.length > LONGEST_SENTENCE) {
    const space = rest.lastIndexOf(' ', LONGEST_SENTENCE)
    const end = space > LONGEST_SENTENCE / 2 ? space : wholeCharacters(rest, LONGEST_SENTENCE)
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return rest === '' ? pieces : [...pieces, rest]
}

function wholeCharacters(text: string, end: number): number {
  const code = text.charCodeAt(end - 1)
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end
}

/** What stands in a clipped text for what is left out, whatever its ref. */
const CLIPPED = /\s{0,4}\[… left out here[^\]\n]{0,120}\]\s{0,4}/

/** A clipped text with a sign for what is left out, and without the sentences that were torn there. */
export function withoutTornSentences(text: string): string {
  if (!text.includes('[… left out here')) return text
  const pieces = text.split(CLIPPED)
  return pieces
    .map((piece, at) => {
      const begun = at === 0 ? piece : fromWhole(piece)
      return at === pieces.length - 1 ? begun : toWhole(begun)
    })
    .filter((piece) => piece.trim() !== '')
    .join('\n…\n')
}

/** From the first sentence that begins in the first line, if one does. */
function fromWhole(text: string): string {
  const [line = ''] = text.split('\n', 1)
  const end = /[.!?][*`_"'’”)]{0,4}\s{1,8}(?=\S)|[。！？]/.exec(line)
  return end === null ? text : text.slice(end.index + end[0].length)
}

/** To the last sentence that ends in the last line, if one does. */
function toWhole(text: string): string {
  const line = text.slice(text.lastIndexOf('\n') + 1)
  const sentences = sentencesIn(line)
  const torn = sentences.at(-1) ?? ''
  if (sentences.length < 2 || /[.!?…。！？:;|`*)\]]\s{0,4}$/.test(torn)) return text
  return text.slice(0, text.length - torn.length).trimEnd()
}
