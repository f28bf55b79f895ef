import { rangesAt, rewound, type Range, type Rewound } from '../../log/rewound.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { clipColumns, padColumns } from '../terminal/columns.ts'
import { entryName, entryText } from './entry-text.ts'
import type { Entry } from '../../log/entry.ts'
import type { Chronological } from '../../log/order.ts'
import type { Paint } from '../terminal/colour.ts'

const nameColumns = 11

/** A line for every entry of the log: its seq, what it is, what it says or did. */
export function* logLines(log: Chronological, width: number, paint: Paint): Generator<string> {
  const ranges = rangesInForce(log)
  const seqColumns = String(log.at(-1)?.seq ?? 0).length
  for (const entry of log) {
    const gone = isTakenBack(entry, ranges)
    const seq = padColumns(String(entry.seq), seqColumns, 'left')
    const name = padColumns(sanitizeLine(entryName(entry)), nameColumns, 'right')
    const text = sanitizeLine(`${gone ? '(taken back) ' : ''}${entryText(entry)}`)
    const line = clipColumns(`${seq}  ${name} ${text}`, width).trimEnd()
    yield gone ? paint('dim', line) : entry.kind === 'message' ? line : paint('cyan', line)
  }
}

function rangesInForce(log: Chronological): Range[] {
  const rewinds: Rewound[] = []
  for (const entry of log) if (entry.kind === 'rewind') rewinds.push(rewound(rewinds, entry))
  return rangesAt(rewinds, log.at(-1)?.seq ?? 0)
}

/** Rewinds themselves and notes stand for ever. */
function isTakenBack({ kind, seq }: Entry, ranges: readonly Range[]): boolean {
  if (kind === 'rewind' || kind === 'observation') return false
  return !ranges.some(({ from, to }) => from <= seq && seq <= to)
}
