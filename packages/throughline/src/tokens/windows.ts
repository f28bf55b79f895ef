import { rowFinder } from './row-finder.ts'
import { windowTable } from './window-table.ts'
import type { Window } from './window.ts'

export { formatTokens, parseTokens } from './token-amounts.ts'

const rowOf = rowFinder(windowTable)

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
  const window = rowOf(model)?.window
  if (!window) return undefined
  // Claude Code asks for the million-token window with this suffix.
  return model.endsWith('[1m]') ? { ...window, context: 1_000_000 } : { ...window }
}
