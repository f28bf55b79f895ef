import { errorWords, type ErrorWords } from './error-words.ts'
import type { OverflowWords } from './words/overflow-words.ts'
import { hosts } from './words/hosts.ts'
import { localServers } from './words/local-servers.ts'
import { makers } from './words/makers.ts'

/** What a provider reported about a context that was too long. */
export interface Overflow {
  /** The model's limit in tokens, if the provider names it. */
  limit?: number
  /** What exceeds the limit: the model's tokens, or the size of the request in bytes. */
  unit: 'tokens' | 'bytes'
}

/**
 * Reads from a provider's error whether the context was too long, in the words of any provider.
 * Returns `undefined` for any other problem: a rate limit, a key, a filter, an answer that is too
 * long. Accepts anything that was thrown or streamed: errors of the AI SDK and of the `openai` and
 * `@anthropic-ai/sdk` packages, bodies as objects or texts, and errors that wrap any of these.
 * @example
 * overflowOf(new Error('prompt is too long: 208310 tokens > 200000 maximum'))
 * // { limit: 200000, unit: 'tokens' }
 */
export function overflowOf(error: unknown): Overflow | undefined {
  for (const words of errorWords(error)) {
    const overflow = overflowIn(words)
    if (overflow) return overflow
  }
  return undefined
}

// Credit, keys and too many requests.
const otherStatuses = new Set([401, 402, 403, 407, 429])

// Groq reports its tokens-per-minute limit as 413, Bedrock as "Too many tokens, please wait".
const otherMatters =
  /tokens per min|\btpm\b|rate[ _-]?limit|too many requests|throttl|please wait before trying/i

function overflowIn({ statuses, text }: ErrorWords): Overflow | undefined {
  if (statuses.some((status) => otherStatuses.has(status)) || otherMatters.test(text)) {
    return undefined
  }
  const found = overflowWords.flatMap((words) => {
    const match = words.pattern.exec(text)
    return match ? [readingOf(words, match)] : []
  })
  // An output limit as large as the window fits no context, however short.
  if (found.some(({ limit = Infinity, output = 0 }) => output >= limit)) return undefined
  const best = found.find(({ limit }) => limit !== undefined) ?? found[0]
  if (best) return { unit: best.unit, ...(best.limit !== undefined && { limit: best.limit }) }
  return statuses.includes(413) ? { unit: 'bytes' } : undefined
}

function readingOf(
  words: OverflowWords,
  { groups }: RegExpExecArray,
): Overflow & { output?: number } {
  const limit = tokensOf(groups?.['limit'])
  const output = tokensOf(groups?.['output'])
  return {
    unit: words.unit ?? 'tokens',
    ...(limit !== undefined && { limit }),
    ...(output !== undefined && { output }),
  }
}

/** Reads both `200,000` and `200000`. */
function tokensOf(text: string | undefined): number | undefined {
  const tokens = Number(text?.replace(/[,.]/g, ''))
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined
}

/** The words of every provider. To add one, add a line to a table: the line is its own test. */
export const overflowWords: readonly OverflowWords[] = [...makers, ...hosts, ...localServers]
