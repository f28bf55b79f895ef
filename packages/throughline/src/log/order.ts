import { LogOrderError } from './errors.ts'
import type { Entry } from './entry.ts'
import type { ContextItem } from './context-item.ts'

declare const order: unique symbol

/** Entries in the order in which they happened. */
export type Chronological = readonly Entry[] & { readonly [order]: 'chronological' }

/** What the model sees, in the order in which it sees it: never an order of time. */
export type ModelOrder = readonly ContextItem[] & { readonly [order]: 'model' }

/**
 * Takes entries that are in order of seq as a log.
 * @throws LogOrderError if two neighbours are not in order.
 */
export function chronological(entries: readonly Entry[]): Chronological {
  for (let index = 1; index < entries.length; index++) {
    const before = entries[index - 1] as Entry
    const entry = entries[index] as Entry
    if (entry.seq <= before.seq) throw new LogOrderError({ before: before.seq, seq: entry.seq })
  }
  return entries as Chronological
}

/** Only the context view makes a model order. */
export function modelOrder(items: readonly ContextItem[]): ModelOrder {
  return items as ModelOrder
}
