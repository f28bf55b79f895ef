import { formatTokens } from '../../../tokens/windows.ts'
import type { ReportModel } from '../../../report/model.ts'
import type { Shown } from './head-lines.ts'

const rows = 6
const eighths = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
const labelWidth = 7

/** The size of the requests over the session, as a saw-tooth of blocks; empty where none can be drawn. */
export function chartLines(
  { requests, window, compactions }: ReportModel,
  { width, bars, paint }: Shown,
): string[] {
  const { tokens } = requests
  if (!bars || tokens.length < 2) return []
  const columns = Math.min(width - labelWidth - 3, tokens.length)
  const largest = tokens.reduce((most, each) => Math.max(most, each), 1)
  // A window ten times as large as the session would press it flat.
  const top = window.usable <= largest * 3 ? Math.max(largest, window.usable) : largest
  const heights = columnsOf(tokens, columns).map((each) => (each / top) * rows * 8)
  const limit = Math.round((window.usable / top) * rows)
  const lines: string[] = []
  for (let row = rows - 1; row >= 0; row--) {
    const cells = heights.map(
      (height) => eighths[Math.min(Math.max(Math.round(height - row * 8), 0), 8)],
    )
    const label = row === rows - 1 ? formatTokens(Math.round(top)) : row === 0 ? '0' : ''
    const text = cells.join('')
    const atLimit = row === limit - 1 && top === window.usable
    lines.push(
      `  ${paint('dim', label.padStart(labelWidth))} ${atLimit ? paint('dim', text) : paint('cyan', text)}`,
    )
  }
  const marks = Array.from({ length: columns }, () => ' ')
  for (const { request } of compactions) {
    marks[Math.min(Math.floor((request / tokens.length) * columns), columns - 1)] = '^'
  }
  const marked = compactions.length > 0
  return [
    ...lines,
    ...(marked ? [`  ${''.padStart(labelWidth)} ${paint('red', marks.join('').trimEnd())}`] : []),
    `  ${''.padStart(labelWidth)} ${paint('dim', `request 1 to ${tokens.length}${marked ? '; ^ a compaction' : ''}`)}`,
  ]
}

/** The largest of each stretch, so that no tooth is lost. */
function columnsOf(tokens: readonly number[], columns: number): number[] {
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * tokens.length) / columns)
    const to = Math.max(Math.floor(((column + 1) * tokens.length) / columns), from + 1)
    let most = 0
    for (let at = from; at < to; at++) most = Math.max(most, tokens[at] ?? 0)
    return most
  })
}
