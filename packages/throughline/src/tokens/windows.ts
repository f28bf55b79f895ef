import { windowTable } from './window-table.ts'
import type { Window } from './window.ts'

export { formatTokens, parseTokens } from './token-amounts.ts'

const rows = windowTable.map((row) => ({ words: wordsOf(row.model), window: row.window }))

/**
 * The window of a well-known model, whoever serves it; `undefined` for one that the table
 * does not hold. Providers' prefixes, dates, versions and spelling do not matter, and a
 * newer model of a known family gets what its family last had: state the window yourself
 * where it matters, and let the provider's own error teach the rest.
 * @example
 * windowOf('anthropic/claude-sonnet-4.5') // { context: 200000, output: 64000 }
 * windowOf('us.anthropic.claude-sonnet-4-5-20250929-v1:0') // { context: 200000, output: 64000 }
 * windowOf('claude-sonnet-4-5[1m]') // { context: 1000000, output: 64000 }
 */
export function windowOf(model: string): Window | undefined {
  if (model.length > 200) return undefined
  const words = wordsOf(model)
  let best: (typeof rows)[number] | undefined
  for (const row of rows) {
    if (row.words.length > (best?.words.length ?? 0) && holds(words, row.words)) best = row
  }
  if (!best) return undefined
  // Claude Code asks for the million-token window with this suffix.
  return model.endsWith('[1m]') ? { ...best.window, context: 1_000_000 } : { ...best.window }
}

/** `gpt-4o`, `openai/GPT_4o` and `gpt 4o` are the same words: gpt, 4, o. */
function wordsOf(model: string): string[] {
  return model.toLowerCase().match(/[a-z]+|\d+/g) ?? []
}

function holds(words: readonly string[], part: readonly string[]): boolean {
  for (let start = 0; start + part.length <= words.length; start++) {
    if (part.every((word, index) => words[start + index] === word)) return true
  }
  return false
}
