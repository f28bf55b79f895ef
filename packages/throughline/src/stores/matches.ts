import type { Search } from '../session/store.ts'

/** How often the phrases of a search stand in these words; 0 if they do not as it asks. */
export function matches(words: readonly string[], { phrases, match }: Search): number {
  const counts = phrases.map((phrase) => occurrences(words, phrase))
  const found = counts.filter((count) => count > 0).length
  const enough = match === 'all' ? found === phrases.length : found > 0
  return enough ? counts.reduce((sum, count) => sum + count, 0) : 0
}

function occurrences(words: readonly string[], phrase: readonly string[]): number {
  let count = 0
  for (let at = 0; at + phrase.length <= words.length; at++)
    if (standsAt(words, at, phrase)) count++
  return count
}

function standsAt(words: readonly string[], at: number, phrase: readonly string[]): boolean {
  return phrase.every((word, index) => {
    const found = words[at + index] as string
    return index === phrase.length - 1 ? found.startsWith(word) : found === word
  })
}
