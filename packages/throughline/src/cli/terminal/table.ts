import { clipPath, clipWords, columnsOf, padColumns } from './columns.ts'

export interface Column {
  heading?: string
  /** Numbers are right-aligned. */
  side?: 'left' | 'right'
  /** Which columns shrink if the line is too long, and where they are cut. */
  clip?: 'end' | 'start'
}

const gap = '  '
const narrowest = 12

/**
 * Lays out rows in columns as wide as their widest cell. If a row would be longer than `width`, the
 * columns that may be clipped shrink.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const headings = columns.map(({ heading }) => heading ?? '')
  const all = headings.some((heading) => heading !== '') ? [headings, ...rows] : rows
  const widths = columns.map((_, index) =>
    all.reduce((most, row) => Math.max(most, columnsOf(row[index] ?? '')), 0),
  )
  shrink(columns, widths, width)
  return all.map((row) =>
    columns
      .map((column, index) => cell(row[index] ?? '', column, widths[index] ?? 0))
      .join(gap)
      .trimEnd(),
  )
}

function shrink(columns: readonly Column[], widths: number[], width: number): void {
  const taken = widths.reduce((sum, each) => sum + each, 0) + gap.length * (columns.length - 1)
  let excess = taken - width
  for (const [index, { clip }] of columns.entries()) {
    const own = widths[index] ?? 0
    if (!clip || excess <= 0 || own <= narrowest) continue
    const less = Math.min(excess, own - narrowest)
    widths[index] = own - less
    excess -= less
  }
}

function cell(text: string, { side = 'left', clip }: Column, width: number): string {
  const clipped = clip === 'start' ? clipPath(text, width) : clipWords(text, width)
  return padColumns(clipped, width, side === 'right' ? 'left' : 'right')
}
