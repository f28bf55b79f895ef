import { sanitizeLine } from '../../log/sanitize.ts'
import { counted, percent, withThousands } from './numbers.ts'
import { clipPath, clipWords, columnsOf, padColumns, wrap } from './columns.ts'
import type { Paint, Screen } from './colour.ts'

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar for a share between 0 and 1, on a background that shows the whole. */
export function bar(share: number, width: number): string {
  const filled = bareBar(share, width)
  return filled + '░'.repeat(Math.max(width - filled.length, 0))
}

/** A bar without background, for shares listed below each other. */
export function bareBar(share: number, width: number): string {
  const parts = Math.round(Math.min(Math.max(share, 0), 1) * width * 8)
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '')
}

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

/** A column, what it shows of a row, and the width from which it is shown. */
export interface Field<Row> extends Column {
  cell: (row: Row, index: number) => string
  from?: number
}

/** A table of as many fields as there is room for. */
export function fieldTable<Row>(
  fields: readonly Field<Row>[],
  rows: readonly Row[],
  width: number,
): string[] {
  const shown = fields.filter(({ from = 0 }) => width >= from)
  const cells = rows.map((row, index) => shown.map(({ cell }) => cell(row, index)))
  return table(shown, cells, width)
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

/** A name and its value; `undefined` if there is nothing to say. */
export type Fact = readonly [name: string, text: string | undefined]

/** Facts listed below each other, with their texts in one column. */
export function factLines(
  facts: readonly Fact[],
  { width, paint, indent = 0 }: { width: number; paint: Paint; indent?: number },
): string[] {
  const shown = facts.filter(([, text]) => text !== undefined)
  const widest = shown.reduce((most, [name]) => Math.max(most, name.length), 0)
  const margin = ' '.repeat(indent)
  return shown.flatMap(([name, text]) =>
    wrap(text ?? '', width - indent - widest - 2).map((line, number) => {
      const label = (number === 0 ? name : '').padEnd(widest)
      return `${margin}${paint('dim', label)}  ${line}`
    }),
  )
}

/** Lines under a title; nothing if there are no lines. */
export function section({ paint }: Screen, title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', paint('bold', title), ...lines]
}

export function indentedTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, indent }: { width: number; indent: number },
): string[] {
  return table(columns, rows, width - indent).map((line) => ' '.repeat(indent) + line)
}

/** Wrapped text, indented by some columns. */
export function indentedText(text: string, { width, indent }: { width: number; indent: number }) {
  return wrap(text, width - indent).map((line) => ' '.repeat(indent) + line)
}

/** A thing, its size, and how many calls, steps or the like it covers. */
interface Share {
  name: string
  tokens: number
  count: number
}

const shareBar = 16

/** The first of some shares, with their percentages of the whole; the others in one row. */
export function shareTable(
  shares: readonly Share[],
  {
    top,
    whole,
    unit,
    clip = 'end',
    bars,
    width,
    indent,
  }: Pick<Screen, 'bars' | 'width'> & {
    top: number
    whole: number
    /** What is counted; without it, no count is shown. */
    unit?: string
    clip?: Column['clip']
    indent: number
  },
): string[] {
  const rest = shares.slice(top)
  const sum = (field: 'tokens' | 'count'): number =>
    rest.reduce((total, share) => total + share[field], 0)
  const more = { name: `(${rest.length} more)`, tokens: sum('tokens'), count: sum('count') }
  const rows = [...shares.slice(0, top), ...(rest.length > 0 ? [more] : [])].map(
    ({ name, tokens, count }) => [
      sanitizeLine(name),
      ...(unit === undefined ? [] : [counted(count, unit)]),
      withThousands(tokens),
      percent(tokens, whole),
      ...(bars ? [bareBar(whole > 0 ? tokens / whole : 0, shareBar)] : []),
    ],
  )
  const right = { side: 'right' } as const
  const counts = unit === undefined ? [] : [right]
  return indentedTable([{ clip }, ...counts, right, right, {}], rows, { width, indent })
}
