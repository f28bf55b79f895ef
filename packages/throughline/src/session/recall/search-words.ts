import { partsOf, type Part } from '../../log/message.ts'
import { shownText } from './shown-text.ts'
import type { Entry } from '../../log/entry.ts'

/**
 * The words of a text as search sees them: letters and digits, in lower case, without accents. In
 * scripts without spaces, each character is a word. Every store searches these words, so all stores
 * find the same messages.
 */
export function searchWords(text: string): string[] {
  return (
    plainText(text)
      .toLowerCase()
      .match(/[a-z0-9\x80-\uffff]+/g) ?? []
  )
}

/**
 * Rewrites a text so that its words are the same for a tokenizer that only knows ASCII: every
 * remaining character belongs to a word and is in lower case.
 */
export function plainText(text: string): string {
  return text.replace(/[^\0-\x7f]+/g, plainRun)
}

/**
 * Such runs are short and rare in most texts, so the cost depends only on the characters that
 * aren't ASCII.
 */
function plainRun(run: string): string {
  return run
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(unspaced, ' $& ')
    .replace(/[^\0-\x7f\p{L}\p{N}]+/gu, ' ')
}

// Scripts that are written without spaces.
const scripts =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const unspaced = new RegExp(`[${scripts}]`, 'gu')

// ASCII separators separate words in any text; marks are not characters.
const character = `[[${scripts}]--\\p{M}]`
const run = new RegExp(`${character}|[^\\0-\\/:-@\\[-\`\\{-\\x7f${character}]+`, 'gv')

/** The same words in the same order, each with the position where it, or its run, begins. */
export function* wordPositions(text: string): Generator<{ word: string; at: number }> {
  for (const { 0: found, index } of text.matchAll(run)) {
    for (const word of searchWords(found)) yield { word, at: index }
  }
}

/** What a question searches for: each of its words is a phrase, such as the parts of a path. */
export function searchPhrases(question: string): string[][] {
  return question
    .split(/\s+/)
    .map(searchWords)
    .filter((phrase) => phrase.length > 0)
}

/** The text by which a search finds an entry; '' for entries that are not messages. */
export function searchText(entry: Entry): string {
  if (entry.kind !== 'message') return ''
  return partsOf(entry.message).map(searchedText).join('\n')
}

function searchedText(part: Part): string {
  return 'toolName' in part ? `${part.toolName}\n${shownText(part)}` : shownText(part)
}

/** Where a phrase is in a text: the positions of its first and of its last word. */
export interface PhraseSpot {
  at: number
  last: number
  /** Which of the phrases. */
  phrase: number
}

/** The spots of phrases in a text, in order. The last word of a phrase may be incomplete. */
export function* phraseSpots(
  text: string,
  phrases: readonly (readonly string[])[],
): Generator<PhraseSpot> {
  const longest = Math.max(0, ...phrases.map((phrase) => phrase.length))
  const recent: { word: string; at: number }[] = []
  for (const found of wordPositions(text)) {
    recent.push(found)
    if (recent.length > longest) recent.shift()
    for (const [index, phrase] of phrases.entries()) {
      const first = recent[recent.length - phrase.length]
      if (first && endsWith(recent, phrase)) {
        yield { at: first.at, last: found.at, phrase: index }
      }
    }
  }
}

function endsWith(recent: readonly { word: string }[], phrase: readonly string[]): boolean {
  const start = recent.length - phrase.length
  return phrase.every((word, index) => {
    const found = recent[start + index]?.word ?? ''
    return index === phrase.length - 1 ? found.startsWith(word) : found === word
  })
}

/** The spot around which the most phrases are: how many, and where the first of them begins. */
export function bestSpot(
  spots: Iterable<PhraseSpot>,
  phrases: number,
  reach: number,
): { found: number; at: number } | undefined {
  const latest = new Map<number, number>()
  let best: { found: number; at: number } | undefined
  for (const { at, phrase } of spots) {
    latest.set(phrase, at)
    const near = [...latest.values()].filter((each) => at - each < reach)
    if (near.length <= (best?.found ?? 0)) continue
    best = { found: near.length, at: Math.min(...near) }
    if (best.found === phrases) return best
  }
  return best
}

/** The beginning of a line or of a word at most `lead` characters before a position, if there is one. */
export function startBefore(text: string, at: number, lead: number): number {
  if (at === 0) return 0
  const line = text.lastIndexOf('\n', at - 1) + 1
  if (at - line <= lead) return line
  const space = text.indexOf(' ', at - lead)
  return space !== -1 && space < at ? space + 1 : at
}
