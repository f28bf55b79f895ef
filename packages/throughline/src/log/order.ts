import { ThroughlineError } from './throughline-error.ts'
import type { Entry, Seq } from './entry.ts'
import type { ContextItem } from './context/context-item.ts'

declare const order: unique symbol

/** Entries in the order in which they happened. */
export type Chronological = readonly Entry[] & { readonly [order]: 'chronological' }

/** What the model sees, in the order in which it sees it: never a chronological order. */
export type ModelOrder = readonly ContextItem[] & { readonly [order]: 'model' }

/**
 * Turns entries that are in order of seq into a log.
 * @throws LogOrderError if two neighbors are out of order.
 */
export function chronological(entries: readonly Entry[]): Chronological {
  for (let index = 1; index < entries.length; index++) {
    const before = entries[index - 1] as Entry
    const entry = entries[index] as Entry
    if (entry.seq <= before.seq) throw new LogOrderError({ before: before.seq, seq: entry.seq })
  }
  return entries as Chronological
}

/** The log as it is now: it may grow in place. */
export function copyOf(log: Chronological): Chronological {
  return log.slice() as readonly Entry[] as Chronological
}

/** Only the context view creates a model order. */
export function modelOrder(items: readonly ContextItem[]): ModelOrder {
  return items as ModelOrder
}

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

/** Entries were not in the order of their seqs. */
export class LogOrderError extends ThroughlineError<'LOG_ORDER'> {
  static override readonly code = 'LOG_ORDER'

  readonly before: Seq
  readonly seq: Seq

  constructor({ before, seq }: { before: Seq; seq: Seq }) {
    super(
      LogOrderError.code,
      `Entry ${seq} comes after entry ${before}. A log must be in order of seq: sort the entries, or read them from the store.`,
    )
    this.before = before
    this.seq = seq
  }
}
