import { rangesAt, rewindsIn, type Range } from '../../log/rewound.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { clipColumns, padColumns } from '../terminal/columns.ts'
import { entryName, entryText } from './entry-text.ts'
import type { Entry } from '../../log/entry.ts'
import type { Chronological } from '../../log/order.ts'
import type { Paint } from '../terminal/colour.ts'

const nameColumns = 11

/** A line for every entry of the log: its seq, what it is, what it says or did. */
export function* logLines(log: Chronological, width: number, paint: Paint): Generator<string> {
  const newest = log.at(-1)?.seq ?? 0
  const ranges = rangesAt(rewindsIn(log), newest)
  const seqColumns = String(newest).length
  for (const entry of log) {
    const gone = isTakenBack(entry, ranges)
    const seq = padColumns(String(entry.seq), seqColumns, 'left')
    const name = padColumns(sanitizeLine(entryName(entry)), nameColumns, 'right')
    const text = sanitizeLine(`${gone ? '(taken back) ' : ''}${entryText(entry)}`)
    const line = clipColumns(`${seq}  ${name} ${text}`, width).trimEnd()
    yield gone ? paint('dim', line) : entry.kind === 'message' ? line : paint('cyan', line)
  }
}

/** Rewinds themselves and notes stand for ever. */
function isTakenBack({ kind, seq }: Entry, ranges: readonly Range[]): boolean {
  if (kind === 'rewind' || kind === 'observation') return false
  return !ranges.some(({ from, to }) => from <= seq && seq <= to)
}
