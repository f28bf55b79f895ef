import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A long run that was made. */
export interface RecordedRun {
  name: string
  date: string
  /** Node, system and corpus. */
  on: string
  minutes: number
  passed: boolean
  tests?: { passed: number; failed: number; skipped: number }
}

export const docs = join(import.meta.dirname, '../docs')

export function readJson<Value>(name: string, otherwise: Value): Value {
  const file = join(docs, name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Value) : otherwise
}

/** A table with its columns under each other, as the formatter has them. */
export function table(head: readonly string[], rows: readonly string[][]): string[] {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((cells) => (cells[column] ?? '').length)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)]
}
