import { searchWords, wordPositions } from '../../../session/recall/search-words.ts'
import { safeEnd } from '../../../compaction/clip/clip.ts'

/** A piece of a text, and whether it is what was searched for. */
export interface Piece {
  text: string
  isMatch: boolean
}

interface Spot {
  from: number
  to: number
  /** Which of the phrases. */
  phrase: number
}

const lead = 60

/** The stretch of a text in which most of the phrases stand together, with the matches marked. */
export function excerptOf(
  text: string,
  phrases: readonly (readonly string[])[],
  length: number,
): Piece[] {
  const spots = spotsIn(text, phrases)
  const start = startBefore(text, bestOf(spots, length))
  const end = endBefore(text, start, start + safeEnd(text.slice(start), length))
  const pieces: Piece[] = start > 0 ? [{ text: '…', isMatch: false }] : []
  let at = start
  for (const { from, to } of spots) {
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

/** Where each phrase stands; as in the index, its last word may be the beginning of one. */
function spotsIn(text: string, phrases: readonly (readonly string[])[]): Spot[] {
  const longest = Math.max(0, ...phrases.map((phrase) => phrase.length))
  const recent: { word: string; at: number }[] = []
  const spots: Spot[] = []
  for (const found of wordPositions(text)) {
    recent.push(found)
    if (recent.length > longest) recent.shift()
    for (const [index, phrase] of phrases.entries()) {
      const first = recent[recent.length - phrase.length]
      if (first && endsWith(recent, phrase)) {
        spots.push({ from: first.at, to: wordEnd(text, found.at), phrase: index })
      }
    }
  }
  return spots
}

function endsWith(recent: readonly { word: string }[], phrase: readonly string[]): boolean {
  const start = recent.length - phrase.length
  return phrase.every((word, index) => {
    const found = recent[start + index]?.word ?? ''
    return index === phrase.length - 1 ? found.startsWith(word) : found === word
  })
}

function wordEnd(text: string, from: number): number {
  const [character = ''] = text.slice(from, from + 2)
  // In scripts without spaces, each character is a word.
  if (searchWords(`${character}a`).length > 1) return from + character.length
  const [word = character] = /^[\p{L}\p{N}\p{M}]+/u.exec(text.slice(from, from + 200)) ?? []
  return from + word.length
}

/** The first of the positions around which the most phrases stand; the beginning without any. */
function bestOf(spots: readonly Spot[], length: number): number {
  const latest = new Map<number, number>()
  let best = { found: 0, at: 0 }
  for (const { from, to, phrase } of spots) {
    latest.set(phrase, from)
    const near = [...latest.values()].filter((at) => to - at < length - lead)
    if (near.length > best.found) best = { found: near.length, at: Math.min(...near) }
  }
  return best.at
}

function startBefore(text: string, at: number): number {
  if (at <= lead) return 0
  const line = text.lastIndexOf('\n', at - 1) + 1
  if (at - line <= lead) return line
  const space = text.indexOf(' ', at - lead)
  return space !== -1 && space < at ? space + 1 : at
}

/** Between words, where one ends near. */
function endBefore(text: string, start: number, end: number): number {
  if (end >= text.length) return text.length
  const space = text.lastIndexOf(' ', end)
  return space > start && end - space <= lead ? space : end
}
