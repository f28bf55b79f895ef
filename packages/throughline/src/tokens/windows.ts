import { windowTable } from './window-table.ts'
import type { Window } from './window.ts'

const rowOf = rowFinder(windowTable)

/**
 * The window of a well-known model, whoever serves it; `undefined` if the table doesn't know it.
 * Providers' prefixes, dates, versions and spelling don't matter. A newer model of a known family
 * gets its family's latest known window. If the value matters, set the window yourself, and let the
 * provider's own errors teach the rest.
 * @example
 * windowOf('anthropic/claude-sonnet-4.5') // { context: 200000, output: 64000 }
 * windowOf('us.anthropic.claude-sonnet-4-5-20250929-v1:0') // { context: 200000, output: 64000 }
 * windowOf('claude-sonnet-4-5[1m]') // { context: 1000000, output: 64000 }
 */
export function windowOf(model: string): Window | undefined {
  const window = rowOf(model)?.window
  if (!window) return undefined
  // Claude Code asks for the million-token window with this suffix.
  return model.endsWith('[1m]') ? { ...window, context: 1_000_000 } : { ...window }
}

const scales: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000 }

/**
 * Parses a number of tokens as people write it; `undefined` if the text isn't one.
 * @example
 * parseTokens('200k') // 200000
 * parseTokens('1.5m') // 1500000
 * parseTokens('32_000') // 32000
 * parseTokens('8,000') // 8000
 */
export function parseTokens(text: string): number | undefined {
  if (text.length > 40) return undefined
  const match = /^(\d{1,3}(?:[_,]\d{3})+|\d+)(\.\d+)?(k|m)?$/i.exec(text.trim())
  if (!match) return undefined
  const scale = scales[match[3]?.toLowerCase() ?? ''] ?? 1
  const whole = (match[1] as string).replace(/[_,]/g, '')
  const tokens = Math.round(Number(`${whole}${match[2] ?? ''}`) * scale)
  return tokens > 0 && Number.isSafeInteger(tokens) ? tokens : undefined
}

/**
 * Formats a number of tokens for people, with at most three digits from a thousand on.
 * @example
 * formatTokens(812) // '812'
 * formatTokens(8_123) // '8.1k'
 * formatTokens(200_000) // '200k'
 * formatTokens(1_048_576) // '1m'
 */
export function formatTokens(tokens: number): string {
  if (!Number.isFinite(tokens)) return String(tokens)
  if (tokens < 0) return `-${formatTokens(-tokens)}`
  if (Math.round(tokens) < 1_000) return String(Math.round(tokens))
  if (Math.round(tokens / 1_000) < 1_000) return `${short(tokens / 1_000)}k`
  return `${short(tokens / 1_000_000)}m`
}

function short(value: number): string {
  return String(value < 99.95 ? Math.round(value * 10) / 10 : Math.round(value))
}

/** A row of a table of models: the words that all matching names contain, in order. */
interface NamedRow {
  model: string
}

/**
 * Finds the row of a model, whoever serves it: the one with the most words of its name. Prefixes,
 * spelling and case don't matter; `takes` decides what may follow the words.
 */
export function rowFinder<Row extends NamedRow>(
  table: readonly Row[],
  takes: (rest: readonly string[]) => boolean = () => true,
): (model: string) => Row | undefined {
  const rows = table.map((row) => ({ words: wordsOf(row.model), row }))
  return (model) => {
    if (model.length > 200) return undefined
    const words = wordsOf(model)
    let best: (typeof rows)[number] | undefined
    for (const row of rows) {
      if (row.words.length <= (best?.words.length ?? 0)) continue
      const rest = behind(words, row.words)
      if (rest && takes(rest)) best = row
    }
    return best?.row
  }
}

/** `gpt-4o`, `openai/GPT_4o` and `gpt 4o` are the same words: gpt, 4, o. */
function wordsOf(model: string): string[] {
  return model.toLowerCase().match(/[a-z]+|\d+/g) ?? []
}

function behind(words: readonly string[], part: readonly string[]): string[] | undefined {
  for (let start = 0; start + part.length <= words.length; start++) {
    if (part.every((word, index) => words[start + index] === word)) {
      return words.slice(start + part.length)
    }
  }
  return undefined
}
