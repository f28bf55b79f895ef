import { partsOf, type Part } from '../../log/message.ts'
import { shownText } from './shown-text.ts'
import type { Entry } from '../../log/entry.ts'

/**
 * The words of a text as a search sees them: letters and digits, in small letters, without
 * accents. Scripts that write no spaces give one word for each character. Every store
 * searches these same words, so that all of them find the same.
 */
export function searchWords(text: string): string[] {
  return (
    plainText(text)
      .toLowerCase()
      .match(/[a-z0-9\x80-\uffff]+/g) ?? []
  )
}

/**
 * A text in which the same words stand for whoever knows ASCII alone: whatever else is left
 * belongs to a word, and is in small letters.
 */
export function plainText(text: string): string {
  return text.replace(/[^\0-\x7f]+/g, plainRun)
}

/** Runs are short and few in most texts: the cost is that of what is not ASCII. */
function plainRun(run: string): string {
  return run
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(unspaced, ' $& ')
    .replace(/[^\0-\x7f\p{L}\p{N}]+/gu, ' ')
}

// Scripts that write no spaces.
const scripts =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const unspaced = new RegExp(`[${scripts}]`, 'gu')

// What stands between words in ASCII stands between words in any text; marks are no characters.
const character = `[[${scripts}]--\\p{M}]`
const run = new RegExp(`${character}|[^\\0-\\/:-@\\[-\`\\{-\\x7f${character}]+`, 'gv')

/** The same words in the same order, each with where it, or the run it is in, begins. */
export function* wordPositions(text: string): Generator<{ word: string; at: number }> {
  for (const { 0: found, index } of text.matchAll(run)) {
    for (const word of searchWords(found)) yield { word, at: index }
  }
}

/** What a question looks for: each of its words is a phrase, such as the parts of a path. */
export function searchPhrases(question: string): string[][] {
  return question
    .split(/\s+/)
    .map(searchWords)
    .filter((phrase) => phrase.length > 0)
}

/** All that a search finds an entry by; '' for what is no message. */
export function searchText(entry: Entry): string {
  if (entry.kind !== 'message') return ''
  return partsOf(entry.message).map(searchedText).join('\n')
}

function searchedText(part: Part): string {
  return 'toolName' in part ? `${part.toolName}\n${shownText(part)}` : shownText(part)
}
