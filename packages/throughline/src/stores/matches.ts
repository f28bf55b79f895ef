import { searchText, searchWords } from '../session/recall/search-words.ts'
import { SessionRemovedError, StoreConflictError } from '../session/errors.ts'
import type { Entry, Seq } from '../log/entry.ts'
import type { Search, AppendCondition, Rewriting } from '../session/store.ts'

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
export function matchingSeqs(entries: readonly Entry[], search: Search): Seq[] {
  const found = entries.flatMap((entry) => {
    const count = matches(searchWords(searchText(entry)), search)
    return count === 0 ? [] : [{ seq: entry.seq, count }]
  })
  return found
    .sort((one, other) => other.count - one.count || other.seq - one.seq)
    .slice(0, search.limit)
    .map(({ seq }) => seq)
}

/** What a condition is checked against. */
export interface Stored {
  /** The newest entry; 0 if there is no session. */
  newest: Seq
  /** `at` of the entry with this seq; `undefined` if there is none. */
  atOf: (seq: Seq) => number | undefined
}

/**
 * Checks that a session is in the state that an append expects.
 * @throws StoreConflictError, SessionRemovedError
 */
export function checkCondition(
  session: string,
  { newest, atOf }: Stored,
  { holds, newest: expected = newest }: AppendCondition = {},
): void {
  if (holds && !isSameTime(atOf(holds.seq), holds.at)) throw new SessionRemovedError({ session })
  if (expected !== newest) throw new StoreConflictError({ session, expected, newest })
}

/** A store need not keep a time that isn't a valid number. */
function isSameTime(stored: number | undefined, known: number): boolean {
  return stored === known || (stored !== undefined && !Number.isFinite(known))
}

/** Which entries a rewriting may change, as far as the caller knows. */
export function candidates(known: Rewriting['known']): (seq: Seq) => boolean {
  if (!known) return () => true
  const seqs = new Set(known.seqs)
  return (seq) => seq > known.upTo || seqs.has(seq)
}
