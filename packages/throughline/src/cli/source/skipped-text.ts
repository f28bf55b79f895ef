import { sanitizeLine } from '../../log/sanitize.ts'
import { counted, withThousands } from '../terminal/numbers.ts'
import type { SessionRead } from '../../formats/reading/read-session.ts'

// More bad lines than this are one problem, not many.
const shown = 3

/** Names the lines that are not one whole record; `undefined` if there are none. */
export function skippedText({ skipped, skippedCount }: SessionRead): string | undefined {
  if (skippedCount === 0) return undefined
  const lines = skipped
    .slice(0, shown)
    .map(({ line, reason }) => `line ${line} (${sanitizeLine(reason)})`)
  const more = skippedCount - lines.length
  const rest = more > 0 ? [`${withThousands(more)} more`] : []
  return `${counted(skippedCount, 'damaged line')}: ${[...lines, ...rest].join(', ')}`
}
