import { itemKinds, noKinds, sumOfKinds } from './kinds.ts'
import { kinds, type KindTokens } from './model.ts'
import type { SummaryRole } from '../compaction/render/summary-block.ts'
import type { ContextItem } from '../log/context-item.ts'
import type { ModelOrder } from '../log/order.ts'
import type { Seq } from '../log/entry.ts'
import type { Counter } from '../tokens/counter.ts'

/** How contexts are counted. */
export interface Counting {
  counter: Counter
  summaryRole: SummaryRole
}

/** The entry that an item shows: a continuation shows the message that it repeats. */
export function entryOf(item: ContextItem): Seq {
  return item.type === 'continuation' ? (item.continuation.of ?? item.seq) : item.seq
}

/** Follows a context while it grows and changes: what it holds, and which entry holds how much. */
export interface Filled {
  kinds: KindTokens
  /** What each entry that stands in it holds. */
  byEntry: ReadonlyMap<Seq, number>
  follow: (items: ModelOrder) => Followed
}

/** What is new in a context since it was looked at last. */
export interface Followed {
  /** Something else than its end has changed: all that it holds is new. */
  rebuilt: boolean
  /** The entries that hold more than before. */
  touched: readonly Seq[]
}

export function filled(counting: Counting): Filled {
  const known = new WeakMap<ContextItem, KindTokens>()
  const byEntry = new Map<Seq, number>()
  let seen: ModelOrder | undefined
  let done = 0
  const all: Filled = { kinds: noKinds(), byEntry, follow }
  return all

  function follow(items: ModelOrder): Followed {
    const grown = items === seen && items.length >= done
    if (!grown) {
      seen = items
      done = 0
      all.kinds = noKinds()
      byEntry.clear()
    }
    const touched: Seq[] = []
    for (; done < items.length; done++) touched.push(add(items[done] as ContextItem))
    return { rebuilt: !grown, touched }
  }

  function add(item: ContextItem): Seq {
    const held = kindsOfItem(item)
    for (const kind of kinds) all.kinds[kind] += held[kind]
    const seq = entryOf(item)
    byEntry.set(seq, (byEntry.get(seq) ?? 0) + sumOfKinds(held))
    return seq
  }

  function kindsOfItem(item: ContextItem): KindTokens {
    let held = known.get(item)
    if (!held) known.set(item, (held = itemKinds(item, counting)))
    return held
  }
}
