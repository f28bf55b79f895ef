import type { Entry, EntryDraft, Seq } from '../log/entry.ts'

/**
 * Goes back to the entry `to`, because a host has taken back what came after it. Pins stay: nobody
 * took them back.
 */
export function rewindDrafts(inForce: readonly Entry[], to: Seq, at: number): EntryDraft[] {
  const unpinned = new Set(inForce.flatMap((entry) => (entry.kind === 'unpin' ? [entry.pin] : [])))
  const pins = inForce.flatMap((entry): EntryDraft[] => {
    if (entry.kind !== 'pin' || entry.seq <= to || unpinned.has(entry.seq)) return []
    const { text, ref } = entry
    return [{ kind: 'pin', at, text, ...(ref && { ref }) }]
  })
  return [{ kind: 'rewind', at, to }, ...pins]
}
