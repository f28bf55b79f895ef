import { percent } from './goals.ts'
import type { Result, SeriesResult } from 'throughline/evaluation'

/** The figures as a table in Markdown, for people. */
export function tableOf(results: readonly Result[]): string {
  const head = [
    'kept by',
    'cap',
    'tokens kept (most)',
    'forward need',
    'worst cut',
    'artifact trail',
    'invented',
  ]
  const rows = results.map((result) => [
    result.compactor,
    `${result.keep / 1_000}k`,
    `${result.kept.mean} (${result.kept.most})`,
    percent(result.forwardNeed.mean),
    worstOf(result),
    `${result.trail.right} of ${result.trail.changed}`,
    `${result.invented.length}`,
  ])
  return markdown(head, rows)
}

export function seriesTableOf(series: readonly SeriesResult[]): string {
  const head = [
    'kept by',
    'cap',
    'compactions in a row',
    'rules word for word',
    'first facts still held',
  ]
  const rows = series.flatMap(({ compactor, keep, after }) =>
    after.map(({ rounds, rules, drift }) => [
      compactor,
      `${keep / 1_000}k`,
      `${rounds}`,
      percent(rules),
      percent(drift),
    ]),
  )
  return markdown(head, rows)
}

function worstOf({ forwardNeed: { worst } }: Result): string {
  if (!worst) return 'no cut'
  return `${percent(worst.held / worst.needed)} ${worst.session} at ${worst.size / 1_000}k`
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
