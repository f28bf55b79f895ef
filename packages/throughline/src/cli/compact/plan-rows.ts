import { counted, withThousands } from '../terminal/numbers.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { table } from '../terminal/table.ts'
import type { PlannedItem } from '../../compaction/cut/planned-item.ts'

// A screen or two; --json has every row.
const mostRows = 40

/** A row for each stretch of messages that fare alike; what is clipped or pruned stands alone. */
export function planRows(items: readonly PlannedItem[], width: number): string[] {
  const stretches = stretchesOf(items)
  const shown = stretches.slice(-mostRows)
  const left = stretches.slice(0, stretches.length - shown.length)
  const lines = table(
    [
      { heading: 'entries' },
      { heading: 'what', clip: 'end' },
      { heading: 'action' },
      { heading: 'before', side: 'right' },
      { heading: 'after', side: 'right' },
    ],
    shown.map((rows) => rowOf(rows)),
    width,
  )
  if (left.length === 0) return lines
  const messages = left.reduce((sum, rows) => sum + rows.length, 0)
  return [`(${counted(messages, 'message')} before these; --json shows each)`, ...lines]
}

function stretchesOf(items: readonly PlannedItem[]): PlannedItem[][] {
  const stretches: PlannedItem[][] = []
  for (const item of items) {
    const stretch = stretches.at(-1)
    const alone = item.action === 'clipped' || item.action === 'pruned'
    if (stretch && !alone && stretch[0]?.action === item.action) stretch.push(item)
    else stretches.push([item])
  }
  return stretches
}

function rowOf(items: readonly PlannedItem[]): string[] {
  const [first] = items
  const last = items.at(-1)
  if (!first || !last) return []
  const seqs = first.seq === last.seq ? `${first.seq}` : `${first.seq}–${last.seq}`
  const what = items.length === 1 ? whatOf(first) : counted(items.length, 'message')
  const after = first.action === 'summarised' ? '' : withThousands(sumOf(items, 'after'))
  return [seqs, what, first.action, withThousands(sumOf(items, 'before')), after]
}

function whatOf({ what, tools }: PlannedItem): string {
  return tools ? sanitizeLine(`${what}: ${tools.join(', ')}`) : what
}

function sumOf(items: readonly PlannedItem[], field: 'before' | 'after'): number {
  return items.reduce((sum, item) => sum + item[field], 0)
}
