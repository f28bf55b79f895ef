import type { EstimatedTokens } from '../../tokens/units.ts'

/** A limit in words for a model, which can't count tokens but knows how long its words are. */
export interface WrittenLimit {
  tokens: EstimatedTokens
  /** As many words; characters where a language puts no spaces between words. */
  about: { amount: number; of: 'words' | 'characters' }
}

// Recorded summaries hold 0.36 to 0.51 words a token. What was said in the same sessions holds a
// fifth more than their summaries, which are full of names.
const wordsPerToken = 0.45
const denser = 0.8
const mostWords = 0.5

const leastWords = 0.2

// Scripts that put no spaces between words; a text that is mostly in them has no words to count.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu
const mostUnspaced = 0.2

// A shorter text says little about a language.
const telling = 200

// How much of a text is looked at.
const sampled = 20_000

/**
 * A limit in the model's own terms, by the density of an earlier summary of the session, or of what
 * was said in it.
 * @example
 * writtenLimit(estimatedTokens(3_000), { count, said: [] }) // about 1,350 words
 */
export function writtenLimit(
  tokens: EstimatedTokens,
  {
    count,
    said,
    previous = '',
  }: { count: (text: string) => number; said: readonly string[]; previous?: string | undefined },
): WrittenLimit {
  const earlier = densityOf(previous, count)
  const prose = densityOf(said.join('\n').slice(-sampled), count)
  const measured = earlier ?? prose
  if (measured !== undefined && measured.unspaced > mostUnspaced) {
    return { tokens, about: { amount: round(tokens * measured.characters), of: 'characters' } }
  }
  const words = earlier?.words ?? (prose ? prose.words * denser : wordsPerToken)
  return { tokens, about: { amount: round(tokens * clamped(words)), of: 'words' } }
}

function clamped(words: number): number {
  return Math.min(Math.max(words, leastWords), mostWords)
}

function densityOf(
  text: string,
  count: (text: string) => number,
): { words: number; characters: number; unspaced: number } | undefined {
  const sample = text.slice(0, sampled)
  const tokens = count(sample)
  if (tokens < telling) return undefined
  return {
    words: (sample.match(/\S+/g) ?? []).length / tokens,
    characters: sample.length / tokens,
    unspaced: (sample.match(unspaced) ?? []).length / sample.length,
  }
}

/** To two digits: no model counts better. */
function round(amount: number): number {
  const unit = 10 ** Math.max(Math.floor(Math.log10(Math.max(amount, 1))) - 1, 0)
  return Math.floor(amount / unit) * unit
}
