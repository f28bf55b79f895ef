import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** How many columns of a terminal a line of sanitized text takes. */
export function columnsOf(text: string): number {
  return stringWidth(text)
}

/** The text in at most this many columns, with … where it was cut. */
export function clipColumns(text: string, most: number): string {
  const near = text.slice(0, farthest(most))
  if (near === text && columnsOf(text) <= most) return text
  if (most < 1) return ''
  return `${piecesWithin(charactersOf(near), most - 1).join('')}…`
}

/** The same for texts whose end says more than the beginning, such as paths. */
export function clipColumnsStart(text: string, most: number): string {
  const near = text.slice(-Math.max(farthest(most), 1))
  if (near === text && columnsOf(text) <= most) return text
  if (most < 1) return ''
  return `…${piecesWithin(charactersOf(near).toReversed(), most - 1)
    .toReversed()
    .join('')}`
}

// Rather than lose more of a line than this share of it, a long word is cut all the same.
const mostLost = 0.4

/** The text in at most this many columns, cut between words where it can be, with … at the end. */
export function clipWords(text: string, most: number): string {
  const clipped = clipColumns(text, most)
  if (clipped === text || !clipped.endsWith('…')) return clipped
  const cut = clipped.slice(0, -1)
  if (/\s/.test(text.charAt(cut.length)) || /\s$/.test(cut)) return `${cut.trimEnd()}…`
  const space = cut.lastIndexOf(' ')
  return space > 0 && cut.length - space <= most * mostLost
    ? `${cut.slice(0, space).trimEnd()}…`
    : clipped
}

/** The same for a path, which is cut at its beginning and between names. */
export function clipPath(text: string, most: number): string {
  const clipped = clipColumnsStart(text, most)
  if (clipped === text || !clipped.startsWith('…')) return clipped
  const cut = clipped.slice(1)
  const slash = cut.search(/[\\/]/)
  return slash > 0 && slash <= most * mostLost && slash < cut.length - 1
    ? `…${cut.slice(slash)}`
    : clipped
}

export function padColumns(text: string, columns: number, side: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(columns - columnsOf(text), 0))
  return side === 'left' ? space + text : text + space
}

/** No more of a text than this is looked at: a character of many marks takes no column more. */
function farthest(most: number): number {
  return 200 + 40 * Math.max(most, 0)
}

/** What a reader takes for one character: a letter with its marks, a joined emoji. */
function charactersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

function piecesWithin(characters: readonly string[], most: number): string[] {
  const pieces: string[] = []
  let columns = 0
  for (const character of characters) {
    columns += columnsOf(character)
    if (columns > most) break
    pieces.push(character)
  }
  return pieces
}

/** A line divided at its spaces so that each piece fits, unless a single word is too long. */
export function wrap(text: string, width: number): string[] {
  return wrapAnsi(text, width).split('\n')
}
