/** A table with its columns under each other, as the formatter has them. */
export function table(head: readonly string[], rows: readonly string[][]): string[] {
  const widths = head.map((name, column) =>
    Math.max(3, name.length, ...rows.map((cells) => (cells[column] ?? '').length)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)]
}

export function digits(value: number): string {
  return value >= 100 ? count(Math.round(value)) : String(Number(value.toPrecision(2)))
}

export function count(value: number): string {
  return value.toLocaleString('en')
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(0)}%`
}

export function megabytes(bytes: number | undefined): string {
  return count(Math.round((bytes ?? Number.NaN) / 1_000_000))
}
