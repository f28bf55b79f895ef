import { safeEnd } from '../../compaction/clip/clip.ts'
import { wordPlaces } from './search-words.ts'
import { cutPassage, type Passage } from './passage.ts'

// Characters of a passage around words that were found, and how many of them lead up to these.
const span = 400
const lead = 100

/** Where most of the phrases stand near to each other: how many, and where the first begins. */
export interface Spot {
  found: number
  at: number
}

/** The first of the best spots of a text; `undefined` where none of the phrases stands. */
export function bestSpot(text: string, phrases: readonly (readonly string[])[]): Spot | undefined {
  const longest = Math.max(...phrases.map((phrase) => phrase.length))
  const recent: { word: string; at: number }[] = []
  const latest = phrases.map(() => -Infinity)
  let best: Spot | undefined
  for (const place of wordPlaces(text)) {
    recent.push(place)
    if (recent.length > longest) recent.shift()
    for (const [index, phrase] of phrases.entries()) {
      const begun = recent[recent.length - phrase.length]
      if (!begun || !endsWith(recent, phrase)) continue
      latest[index] = begun.at
      const near = latest.filter((at) => Math.abs(begun.at - at) < span - lead)
      if (near.length <= (best?.found ?? 0)) continue
      best = { found: near.length, at: Math.min(...near) }
      if (best.found === phrases.length) return best
    }
  }
  return best
}

/** As a search has it: the last word of a phrase may go on. */
function endsWith(recent: readonly { word: string }[], phrase: readonly string[]): boolean {
  const start = recent.length - phrase.length
  return phrase.every((word, index) => {
    const found = recent[start + index]?.word ?? ''
    return index === phrase.length - 1 ? found.startsWith(word) : found === word
  })
}

/** The passage around a place in it, from the beginning of a line or a word if one is near. */
export function around(passage: Passage, at: number): Passage {
  const { text } = passage
  const start = startBefore(text, at)
  const after = text.slice(start)
  const end = after.length <= span ? undefined : start + safeEnd(after, span)
  return cutPassage(passage, start, end)
}

function startBefore(text: string, at: number): number {
  if (at === 0) return 0
  const line = text.lastIndexOf('\n', at - 1) + 1
  if (at - line <= lead) return line
  const space = text.indexOf(' ', at - lead)
  return space !== -1 && space < at ? space + 1 : at
}
