import { replaceParts } from '../log/context/items-of.ts'
import { isIn, rangesAt, rewindsIn } from '../log/history.ts'
import { parseRef } from '../log/ref.ts'
import { partsOf } from '../log/message.ts'
import type { Entry, EntryOf, Ref, Replacement, Seq } from '../log/entry.ts'

/** The outputs that are in the store alone. */
interface Released {
  /** The entry of each, by its ref. */
  refs: ReadonlyMap<Ref, Seq>
  /** The newest of these entries; 0 without any. */
  newest: Seq
}

export const nothingReleased: Released = { refs: new Map(), newest: 0 }

/**
 * Puts what a prune in force shows in place of the outputs that it took out of the context: whoever
 * folds the entries sees the same, and nothing holds the texts. The store does. Only another change of
 * the view, such as an undo, needs them again.
 */
export function withoutPruned(entries: readonly Entry[]): {
  entries: Entry[]
  released: Released
} {
  const ranges = rangesAt(rewindsIn(entries), entries.at(-1)?.seq ?? 0)
  const bySeq = new Map<Seq, Map<Ref, Replacement>>()
  for (const entry of entries) {
    if (entry.kind !== 'prune' || !isIn(ranges, entry.seq)) continue
    for (const replacement of entry.replacements) {
      const seq = parseRef(replacement.ref)?.seq ?? 0
      const own = bySeq.get(seq) ?? new Map<Ref, Replacement>()
      bySeq.set(seq, own.set(replacement.ref, replacement))
    }
  }
  if (bySeq.size === 0) return { entries: [...entries], released: nothingReleased }
  const refs = new Map<Ref, Seq>()
  let newest = 0
  const left = entries.map((entry) => {
    const replaced = entry.kind === 'message' ? bySeq.get(entry.seq) : undefined
    if (entry.kind !== 'message' || !replaced) return entry
    const outputs = [...replaced.values()].filter(({ ref }) => isOutput(entry, ref))
    for (const { ref } of outputs) refs.set(ref, entry.seq)
    if (outputs.length > 0) newest = entry.seq
    return outputs.length === 0
      ? entry
      : { ...entry, message: replaceParts(entry.message, outputs) }
  })
  const released = newest === 0 ? nothingReleased : { refs, newest }
  // A checkpoint that somebody else made may show what was pruned before.
  const isShown = entries.some((one) => one.kind === 'checkpoint' && !keepsReleased(one, released))
  return isShown
    ? { entries: [...entries], released: nothingReleased }
    : { entries: left, released }
}

/** Whether a checkpoint shows no output that was released. */
export function keepsReleased({ tail }: EntryOf<'checkpoint'>, { refs }: Released): boolean {
  const kept = new Map(tail.flatMap((item) => (item.type === 'entry' ? [[item.seq, item]] : [])))
  return [...refs].every(([ref, seq]) => {
    const item = kept.get(seq)
    return item === undefined || item.replacements?.some((one) => one.ref === ref) === true
  })
}

function isOutput({ message }: EntryOf<'message'>, ref: Ref): boolean {
  const part = parseRef(ref)?.part
  return part !== undefined && partsOf(message)[part]?.type === 'tool-result'
}
