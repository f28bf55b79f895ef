import { inShort, why } from './in-short.ts'
import { tablesOf } from './tables.ts'
import type { Figures } from './figures.ts'

/** The whole report as Markdown. */
export function markdownOf(figures: Figures): string {
  const tables = [inShort(figures), ...tablesOf(figures)].map(
    (table) => `## ${table.title}\n\n${table.note}\n\n${markdownTable(table)}`,
  )
  const head = ['# Throughline compared with its peers', ...why, aboutOf(figures)]
  return `${[...head, ...tables].join('\n\n')}\n`
}

/** What was measured, in a sentence or two. */
export function aboutOf({ sessions, contested, window, growth }: Figures): string {
  const cuts = contested.flatMap((one) => ('atCuts' in one ? one.atCuts : []))[0]?.forwardNeed
  const answers = contested.reduce(
    (sum, one) => sum + ('recordedAnswers' in one ? one.recordedAnswers : 0),
    0,
  )
  const model =
    answers === 0
      ? 'Every engine that needs a model asked the same deterministic stand-in.'
      : `${answers} answers are recorded from a model; all others come from the same deterministic stand-in.`
  return `${sessions.count} sessions (${sessions.source}), ${cuts?.cuts ?? 0} cuts with ten or more needed names, ${cuts?.repositories ?? 0} repositories; replayed in a window of ${window.toLocaleString('en-US')} tokens. ${model}${growth.length === 0 ? ' Speed and growth were not measured in this run.' : ''}`
}

interface Cells {
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

export function markdownTable({ head, rows }: Cells): string {
  const all = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [first = [], ...others] = all
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join(
    '\n',
  )
}
