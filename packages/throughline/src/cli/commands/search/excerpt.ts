import {
  bestSpot,
  phraseSpots,
  searchWords,
  startBefore,
} from '../../../session/recall/search-words.ts'
import { safeEnd } from '../../../compaction/clip/clip.ts'

/** A piece of a text, and whether it is what was searched for. */
export interface Piece {
  text: string
  isMatch: boolean
}

const lead = 60

/** The stretch of a text with most of the phrases, with the matches marked. */
export function excerptOf(
  text: string,
  phrases: readonly (readonly string[])[],
  length: number,
): Piece[] {
  const spots = [...phraseSpots(text, phrases)]
  const best = bestSpot(spots, phrases.length, length - lead)?.at ?? 0
  const start = best <= lead ? 0 : startBefore(text, best, lead)
  const end = endBefore(text, start, start + safeEnd(text.slice(start), length))
  const pieces: Piece[] = start > 0 ? [{ text: '…', isMatch: false }] : []
  let at = start
  for (const { at: from, last } of spots) {
    const to = wordEnd(text, last)
    if (from < at || to > end) continue
    pieces.push({ text: text.slice(at, from), isMatch: false })
    pieces.push({ text: text.slice(from, to), isMatch: true })
    at = to
  }
  pieces.push({ text: text.slice(at, end), isMatch: false })
  if (end < text.length) pieces.push({ text: '…', isMatch: false })
  return pieces
    .map(({ text, isMatch }) => ({ text: text.replace(/\s+/g, ' '), isMatch }))
    .filter((piece) => piece.text !== '')
}

function wordEnd(text: string, from: number): number {
  const [character = ''] = text.slice(from, from + 2)
  // In scripts without spaces, each character is a word.
  if (searchWords(`${character}a`).length > 1) return from + character.length
  const [word = character] = /^[\p{L}\p{N}\p{M}]+/u.exec(text.slice(from, from + 200)) ?? []
  return from + word.length
}

/** Between words, where one ends near. */
function endBefore(text: string, start: number, end: number): number {
  if (end >= text.length) return text.length
  const space = text.lastIndexOf(' ', end)
  return space > start && end - space <= lead ? space : end
}
