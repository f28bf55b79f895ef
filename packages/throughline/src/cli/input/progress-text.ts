import { bar } from '../terminal/bar.ts'
import { clipColumns } from '../terminal/columns.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import type { SessionSource } from './open-session.ts'

const barWidth = 20

/** How far the reading is: a bar where the size is known. */
export function progressText(
  { name, bytes: total }: Pick<SessionSource, 'name' | 'bytes'>,
  bytes: number,
  columns: number,
): string {
  const read = megabytes(bytes)
  const text = total
    ? `reading ${bar(bytes / total, barWidth)}  ${read}/${megabytes(total)} MB  ${sanitizeLine(name)}`
    : `reading ${sanitizeLine(name)}  ${read} MB`
  return clipColumns(text, columns)
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}
