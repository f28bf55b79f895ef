import { timeSlices } from '../session/loop/pause.ts'
import { searchText, searchWords } from '../session/recall/search-words.ts'
import type { Entry, Seq } from '../log/entry.ts'
import type { Search } from '../session/store.ts'

/** How often the phrases of a search occur in these words; 0 if they don't match. */
function matches(words: readonly string[], { phrases, match }: Search): number {
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

/** The seqs of the matching entries, most matches first, then newest first. */
export async function matchingSeqs(
  entries: readonly Entry[],
  search: Search,
  signal?: AbortSignal,
): Promise<Seq[]> {
  const turn = timeSlices(signal)
  const found: { seq: Seq; count: number }[] = []
  // Others may write meanwhile.
  for (const entry of entries.slice()) {
    const count = matches(searchWords(searchText(entry)), search)
    if (count > 0) found.push({ seq: entry.seq, count })
    await turn()
  }
  return found
    .sort((one, other) => other.count - one.count || other.seq - one.seq)
    .slice(0, search.limit)
    .map(({ seq }) => seq)
}
