import type { Facts } from '../facts.ts'

/** In characters; in other scripts a character says as much as a word. */
const shortest = 12
const shortestUnspaced = 6

/** Text in quotation marks, straight ones and those of other languages. */
const quote = /["“”„«「『]([^"“”„«»「」『』\n]{4,1000})["“”»」』]/g

/** Adds refs after the human's words. */
export type QuoteMarker = (text: string) => string

/**
 * Puts a ref behind each quote that stands word for word in a message of the human, and behind each
 * line that does as a whole: where a model chose the words, the reader can still see whose they are
 * and read back what stood around them. Layout, marks and case make no difference, and a quote may
 * leave something out between dots.
 */
export function quoteMarker({ requests }: Pick<Facts, 'requests'>): QuoteMarker {
  const messages = requests
    .filter(({ by }) => by !== 'agent')
    .map(({ text, seq }) => ({ seq, words: ` ${plain(text)} ` }))
    .toReversed()
  const refOf = (said: string): string => {
    const pieces = said.split(/…|\.{3}/).map(plain)
    const all = pieces.join('')
    const isLong = all.length >= (/[^\p{ASCII}]{4}/u.test(all) ? shortestUnspaced : shortest)
    const found = isLong && messages.find(({ words }) => holdsInOrder(words, pieces))
    return found ? ` [${found.seq}]` : ''
  }
  return (text) =>
    text
      .split('\n')
      .map((line) => {
        const marked = line.replace(quote, (whole, said: string) => whole + refOf(said))
        return marked === line ? line.trimEnd() + refOf(line) : marked
      })
      .join('\n')
}

function holdsInOrder(words: string, pieces: readonly string[]): boolean {
  let from = 0
  for (const piece of pieces) {
    const at = words.indexOf(piece, from)
    if (at === -1) return false
    from = at + piece.length
  }
  return true
}

/** Words alone: without marks, layout and case. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}
