import { sanitizeLine } from '../../log/sanitize.ts'
import { bareBar } from '../terminal/bar.ts'
import { percent, withThousands } from '../terminal/numbers.ts'
import { table, type Column } from '../terminal/table.ts'
import type { Paint } from '../terminal/colour.ts'
import type { Share } from './shares.ts'
import type { Turn } from './turns.ts'

/** How much is shown, and on what. */
export interface Page {
  top: number
  width: number
  bars: boolean
  paint: Paint
}

const barWidth = 16

/** The largest shares, with what they are of the whole. */
export function shareTable(
  shares: readonly Share[],
  whole: number,
  page: Page,
  unit?: string,
  clip: 'start' | 'end' = 'end',
): string[] {
  const rows = shares
    .slice(0, page.top)
    .map(({ name, tokens, count }) => [
      sanitizeLine(name),
      ...(unit === undefined ? [] : [countText(count, unit)]),
      ...measures(tokens, whole, page),
    ])
  const rest = shares.slice(page.top)
  if (rest.length > 0) {
    const tokens = rest.reduce((sum, share) => sum + share.tokens, 0)
    const count = rest.reduce((sum, share) => sum + share.count, 0)
    rows.push([
      `(${rest.length} more)`,
      ...(unit === undefined ? [] : [countText(count, unit)]),
      ...measures(tokens, whole, page),
    ])
  }
  const counts: Column[] = unit === undefined ? [] : [{ side: 'right' }]
  return indented([{ clip }, ...counts, ...measureColumns(page)], rows, page)
}

/** The largest turns, in the order in which they happened. */
export function turnTable(turns: readonly Turn[], whole: number, page: Page): string[] {
  const largest = new Set(turns.toSorted((a, b) => b.tokens - a.tokens).slice(0, page.top))
  const rows = turns
    .filter((turn) => largest.has(turn))
    .map(({ seq, text, steps, tokens }) => [
      `[${seq}] ${text}`,
      countText(steps, 'step'),
      ...measures(tokens, whole, page),
    ])
  return indented([{ clip: 'end' }, { side: 'right' }, ...measureColumns(page)], rows, page)
}

function indented(columns: readonly Column[], rows: string[][], { width }: Page): string[] {
  return table(columns, rows, width - 2).map((line) => `  ${line}`)
}

function countText(count: number, unit: string): string {
  return `${withThousands(count)} ${unit}${count === 1 ? '' : 's'}`
}

function measures(tokens: number, whole: number, { bars }: Page): string[] {
  const cells = [withThousands(tokens), percent(tokens, whole)]
  return bars ? [...cells, bareBar(whole > 0 ? tokens / whole : 0, barWidth)] : cells
}

function measureColumns({ bars }: Page): Column[] {
  const columns: Column[] = [{ side: 'right' }, { side: 'right' }]
  return bars ? [...columns, {}] : columns
}
