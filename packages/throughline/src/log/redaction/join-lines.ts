import { Decoding, type Form, type Reading } from './reading.ts'

// What stands before a line that is not of its text: its number, a mark of a quotation, a comment,
// a change or a frame.
const gutter =
  /[ \t]*(?:\d{1,7}[ \t]?(?:→|\t|[|│:-] ?)|(?:(?:[|│┃>#+*-]|\/\/){1,3}[ \t]){1,3})?[ \t]*/y
// What stands behind a line that goes on: a frame, or a sign that it goes on.
const continues: ReadonlySet<string> = new Set(['\\', '|', '│', '┃', '='])

/**
 * The text with its lines in a row, as if a terminal, an editor or an encoder had not broken them;
 * `undefined` if it has one line.
 */
export function joinedLines(reading: Reading): Reading | undefined {
  const { text } = reading
  const decoding = new Decoding(reading)
  let end = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', end)) {
    const from = endOfLine(text, at, end)
    gutter.lastIndex = at + 1
    // It always matches, if only nothing.
    gutter.test(text)
    const to = gutter.lastIndex
    decoding.copy(end, from)
    end = to
  }
  if (end === 0) return undefined
  decoding.copy(end, text.length)
  return decoding.reading('wrapped')
}

/** The text without its blanks, however its words and lines are broken; `undefined` if it has none. */
export function withoutSpaces(reading: Reading): Reading | undefined {
  return leftOut(reading, /\s+/g, 'wrapped')
}

function endOfLine(text: string, at: number, begin: number): number {
  let from = at
  if (from > begin && text[from - 1] === '\r') from -= 1
  from = withoutBlanks(text, from, begin)
  if (from > begin && continues.has(text[from - 1] as string)) {
    from = withoutBlanks(text, from - 1, begin)
  }
  return from
}

function withoutBlanks(text: string, at: number, begin: number): number {
  let from = at
  while (from > begin && (text[from - 1] === ' ' || text[from - 1] === '\t')) from -= 1
  return from
}

// Quotes, and what joins texts in a program; or the end of one text and the beginning of the next.
const quotes = /["'`]\s{0,40}(?:[+.&,]|\.\.|\|\||<>)\s{0,40}["'`]|\$?["']+/g

/** The text without its quotes, as a shell or a program puts it together. */
export function withoutQuotes(reading: Reading): Reading | undefined {
  return leftOut(reading, quotes, 'quoted')
}

function leftOut(reading: Reading, what: RegExp, form: Form): Reading | undefined {
  const { text } = reading
  const decoding = new Decoding(reading)
  let end = 0
  for (const { 0: found, index } of text.matchAll(what)) {
    decoding.copy(end, index)
    end = index + found.length
  }
  if (end === 0) return undefined
  decoding.copy(end, text.length)
  return decoding.reading(form)
}

// The pieces in which an answer arrives.
const delta =
  /"(?:text|content|delta|arguments|partial_json|thinking|reasoning|output|response|completion)"[ \t]{0,4}:[ \t]{0,4}"((?:[^"\\]|\\[^])*)"/g

/** The pieces of a stream in a row, still escaped; `undefined` if there are not two. */
export function joinedDeltas(reading: Reading): Reading | undefined {
  const { text } = reading
  const decoding = new Decoding(reading)
  let pieces = 0
  for (const match of text.matchAll(delta)) {
    const piece = match[1] as string
    const from = match.index + match[0].length - 1 - piece.length
    decoding.copy(from, from + piece.length)
    pieces += 1
  }
  return pieces < 2 ? undefined : decoding.reading('streamed')
}
