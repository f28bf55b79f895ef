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

// Below, figures give way; above, there is room for names as they are and for what wrote them;
// then for their files.
const narrow = 78
const wide = 110
const wider = 160
// A title says enough in so many characters.
const longestTitle = 200

/** A column of the list, in terminals of at least so many columns. */
interface Field {
  column: Column
  cell: (row: SessionRow) => string
  from?: number
}

/** The list of stored sessions, the newest first. */
export function sessionLines({ rows, total, width, now, shownPath }: Shown): string[] {
  if (total === 0) return ['The store is empty. Fill it with: throughline import FILE']
  const fields = fieldsOf(width, now, shownPath).filter(({ from = 0 }) => width >= from)
  const columns = fields.map(({ column }) => column)
  const cells = rows.map((row) => fields.map(({ cell }) => cell(row)))
  const left = total - rows.length
  const more = left > 0 ? [`… and ${counted(left, 'older one')}; --all shows them`] : []
  return [...table(columns, cells, width), ...more]
}

function fieldsOf(width: number, now: number, shownPath: Shown['shownPath']): Field[] {
  const right = (heading: string): Column => ({ heading, side: 'right' })
  return [
    {
      column: { heading: 'session', ...(width < wide && { clip: 'end' }) },
      cell: ({ id }) => sanitizeLine(id),
    },
    { column: { heading: 'written' }, cell: ({ at }) => whenText(at, now) },
    { column: right('entries'), cell: ({ newest }) => withThousands(newest) },
    {
      column: right('context'),
      cell: ({ tokens }) => (tokens === undefined ? '–' : withThousands(tokens)),
    },
    {
      column: right('full'),
      cell: ({ tokens, usable }) => (tokens === undefined ? '–' : percent(tokens, usable)),
      from: narrow,
    },
    {
      column: right('compacted'),
      cell: ({ compactions }) => (compactions === 0 ? '–' : `${compactions}×`),
      from: narrow,
    },
    {
      column: { heading: 'title', clip: 'end' },
      cell: ({ title = '' }) => sanitizeLine(title.slice(0, longestTitle)),
    },
    {
      column: { heading: 'from', clip: 'start' },
      cell: (row) => fromText(row, width >= wider ? shownPath : undefined),
      from: wide,
    },
  ]
}

function fromText({ facts }: SessionRow, shownPath?: Shown['shownPath']): string {
  const { format = '', source } = facts
  const path = source !== undefined && shownPath ? shownPath(source) : ''
  return sanitizeLine(`${format} ${path}`)
}
