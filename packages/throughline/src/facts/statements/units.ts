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
/** A longer block of code is kept in pieces. */
const LINES_OF_CODE = 24

/** The units of a text in Markdown or in plain words, in order. */
export function unitsOf(text: string): Unit[] {
  const units: Unit[] = []
  let heading = -1
  let lead = -1
  let code: string[] | undefined
  /** The items of the list that the current line may stand in, the outermost first. */
  let items: { indent: number; at: number }[] = []
  let blank = true
  const push = (unit: Unit): number => units.push(unit) - 1
  const leads = (): number[] =>
    [heading, lead, ...items.map(({ at }) => at)].filter((at) => at >= 0)
  const endCode = (): void => {
    if (code !== undefined) pushCode(code, leads(), push)
    code = undefined
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
      const above = heading < 0 ? [] : [heading]
      if (introduces(line)) {
        lead = push({ text: line.trimEnd(), joins: false, leads: above, isLead: true })
      } else pushSentences(line, above, push)
      blank = false
    } else if (FENCE.test(line)) {
      code = [line.trimEnd()]
    } else if (line.trim() === '') {
      blank = true
    } else if (RULER.test(line)) {
      blank = false
    } else if (HEADING.test(line)) {
      items = []
      heading = push({ text: line.trim(), joins: false, leads: [], isLead: true })
      lead = -1
      blank = false
    } else {
      const item = ITEM.test(line) || ROW.test(line)
      const indent = line.search(/\S/)
      const deeper = indent >= 2
      if (!item && !deeper && blank) lead = -1
      if (!item && !deeper) items = []
      items = items.filter((above) => above.indent < indent)
      if (!item && introduces(line)) {
        const above = heading < 0 ? [] : [heading]
        lead = push({ text: line.trimEnd(), joins: false, leads: above, isLead: true })
      } else if (item && line.length <= LONGEST_WHOLE_ITEM) {
        const at = push({ text: line.trimEnd(), joins: false, leads: leads(), isLead: false })
        items.push({ indent, at })
      } else {
        const above = item || deeper ? leads() : heading < 0 ? [] : [heading]
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

function pushSentences(line: string, leads: number[], push: (unit: Unit) => number): void {
  sentencesIn(line.trimEnd()).forEach((text, at) => {
    push({ text, joins: at > 0, leads, isLead: false })
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
