import { modelOrder, type ModelOrder } from '../order.ts'
import type { ContextItem } from './context-item.ts'

/** What is found out about items one after the other. */
interface Reading<Known> {
  nothing: () => Known
  /** Notes what an item says, at its place in the context. */
  note: (known: Known, item: ContextItem, place: number) => void
  copy: (known: Known) => Known
}

/** What has been found out about the first `upTo` items. */
interface Read<Known> {
  upTo: number
  known: Known
}

const carried: ((from: ModelOrder, to: ModelOrder) => void)[] = []

/** Calls this with items and a copy of them, so that the copy has what is known of the items. */
export function whenCopied(carry: (from: ModelOrder, to: ModelOrder) => void): void {
  carried.push(carry)
}

/**
 * Reads a context's items once: they only grow at their end, and whoever asks again pays for what is
 * new. A session that asks while it grows spares its compactions the reading.
 */
export function readingItems<Known>({
  nothing,
  note,
  copy,
}: Reading<Known>): (items: ModelOrder) => Known {
  const reads = new WeakMap<ModelOrder, Read<Known>>()
  whenCopied((from, to) => {
    const read = reads.get(from)
    if (read) reads.set(to, { upTo: read.upTo, known: copy(read.known) })
  })
  return (items) => {
    let read = reads.get(items)
    if (!read) reads.set(items, (read = { upTo: 0, known: nothing() }))
    for (; read.upTo < items.length; read.upTo++) {
      note(read.known, items[read.upTo] as ContextItem, read.upTo)
    }
    return read.known
  }
}

/** The items as they are now, with what is known of them: a context grows in place. */
export function copyOfItems(items: ModelOrder): ModelOrder {
  const copy = modelOrder(items.slice())
  for (const carry of carried) carry(items, copy)
  return copy
}
