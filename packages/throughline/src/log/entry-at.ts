import type { Entry, Seq } from './entry.ts'
import type { Chronological } from './order.ts'

/** The entry with this seq. */
export function entryAt(log: Chronological, seq: Seq): Entry | undefined {
  const entry = log[indexAfter(log, seq) - 1]
  return entry?.seq === seq ? entry : undefined
}

/** The index of the first entry that came after `seq`. */
export function indexAfter(log: Chronological, seq: Seq): number {
  if (log[seq - 1]?.seq === seq) return seq
  let low = 0
  let high = log.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((log[middle] as Entry).seq <= seq) low = middle + 1
    else high = middle
  }
  return low
}
