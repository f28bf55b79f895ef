import { sanitizeLine } from '../../log/sanitize.ts'
import { counted, percent, withThousands } from '../terminal/numbers.ts'
import { table, type Column } from '../terminal/table.ts'
import { whenText } from './when.ts'
import type { SessionRow } from './row.ts'

interface Shown {
  rows: readonly SessionRow[]
  /** How many there are in all. */
  total: number
  width: number
  /** Milliseconds since 1970. */
  now: number
  /** How a path is told. */
  shownPath: (path: string) => string
}

// From here on there is room for names as they are, and for what wrote them; then for its files.
const wide = 110
const wider = 160
// A title says enough in so many characters.
const longestTitle = 200

/** The list of stored sessions, the newest first. */
export function sessionLines({ rows, total, width, now, shownPath }: Shown): string[] {
  if (total === 0) return ['The store is empty. Fill it with: throughline import FILE']
  const isWide = width >= wide
  const columns: Column[] = [
    { heading: 'session', ...(!isWide && { clip: 'end' }) },
    { heading: 'written' },
    { heading: 'entries', side: 'right' },
    { heading: 'context', side: 'right' },
    { heading: 'full', side: 'right' },
    { heading: 'compacted', side: 'right' },
    { heading: 'title', clip: 'end' },
    ...(isWide ? [{ heading: 'from', clip: 'start' } as const] : []),
  ]
  const cells = rows.map((row) => [
    sanitizeLine(row.id),
    whenText(row.at, now),
    withThousands(row.newest),
    row.tokens === undefined ? '–' : withThousands(row.tokens),
    row.tokens === undefined ? '–' : percent(row.tokens, row.usable),
    row.compactions === 0 ? '–' : `${row.compactions}×`,
    sanitizeLine((row.title ?? '').slice(0, longestTitle)),
    ...(isWide ? [fromText(row, width >= wider ? shownPath : undefined)] : []),
  ])
  const left = total - rows.length
  const more = left > 0 ? [`… and ${counted(left, 'older one')}; --all shows them`] : []
  return [...table(columns, cells, width), ...more]
}

function fromText({ facts }: SessionRow, shownPath?: Shown['shownPath']): string {
  const { format = '', source } = facts
  const path = source !== undefined && shownPath ? shownPath(source) : ''
  return sanitizeLine(`${format} ${path}`)
}
