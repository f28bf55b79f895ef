import type { Redaction } from '../../log/redaction/redaction.ts'
import type { Entry, Seq } from '../../log/entry.ts'
import type { Rewriting } from '../store.ts'

/** A redaction as a store carries it out: with a note that names what it changed. */
export function rewritingOf(change: Redaction, at: number): Rewriting {
  return {
    change,
    note: (changed) => ({
      kind: 'observation',
      at,
      observation: { type: 'redaction', seqs: [...changed] },
    }),
  }
}

/** The entries that a redaction's note names. */
export function redactedSeqs(note: Entry): Seq[] {
  if (note.kind !== 'observation' || note.observation.type !== 'redaction') return []
  return note.observation.seqs
}

export function isRedaction(entry: Entry): boolean {
  return entry.kind === 'observation' && entry.observation.type === 'redaction'
}
