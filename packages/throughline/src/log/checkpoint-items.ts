import { itemOf, keptItem } from './context-item.ts'
import { entryAt } from './entry-at.ts'
import { placeForResults } from './open-calls.ts'
import { modelOrder, type Chronological, type ModelOrder } from './order.ts'
import type { Context } from './context.ts'
import type { ContextItem } from './context-item.ts'
import type { CheckpointDraft, Seq } from './entry.ts'

/** What the model would see if this checkpoint were the newest entry. */
export function checkpointItems(
  context: Context,
  entry: CheckpointDraft & { seq: Seq },
  log: Chronological,
): ModelOrder {
  const pins = [...context.pins.values()].map((pin) => pin.text)
  const takenBack = context.unpinned.map((pin) => pin.text)
  const { seq, summary } = entry
  const base = baseOf(entry)
  const items: ContextItem[] = [{ type: 'summary', seq, summary, pins, takenBack }]
  const standing = new Set<Seq>()
  for (const kept of entry.tail) {
    if (kept.type === 'gap') {
      items.push({ ...kept, seq: entry.seq })
      continue
    }
    const original = entryAt(log, kept.seq)
    if (original?.kind !== 'message' || original.seq > base || standing.has(original.seq)) continue
    standing.add(original.seq)
    place(items, { ...itemOf(original, kept.replacements), kept: true })
  }
  if (entry.continuation) {
    items.push({ type: 'continuation', seq: entry.seq, continuation: entry.continuation })
  }
  for (const item of saidAfter(context, base, log)) place(items, item)
  return modelOrder(items)
}

/** The newest entry that a checkpoint stands for. A log is not to be trusted: none that came later. */
export function baseOf({ base, seq }: { base: Seq; seq: Seq }): Seq {
  return Math.min(base, seq - 1)
}

/**
 * What was said while a summary was written, in the order of the log; it was said behind what the
 * summary replaces. Where results stood there means nothing any more: they find their place anew.
 * Pins stand in the summary's block.
 */
function saidAfter(context: Context, base: Seq, log: Chronological): ContextItem[] {
  return context.items
    .filter(({ type, seq }) => seq > base && type !== 'pin')
    .toSorted((one, other) => one.seq - other.seq)
    .map((item) => {
      const entry = item.type === 'late' ? entryAt(log, item.seq) : undefined
      return keptItem(entry?.kind === 'message' ? itemOf(entry) : item)
    })
}

/** Puts an item where it belongs: results behind their step, or as text where that is gone. */
function place(items: ContextItem[], item: ContextItem): void {
  if (item.type !== 'message' || item.message.role !== 'tool') {
    items.push(item)
    return
  }
  const { seq, message } = item
  const at = placeForResults(items, message)
  if (at === undefined) items.push({ type: 'late', seq, message })
  else items.splice(at, 0, item)
}
