import { redactRef, redactText, type Redaction } from '../../log/redaction/redaction.ts'
import type { Entry, Ref, Seq } from '../../log/entry.ts'
import type { Internals } from '../internals.ts'
import type { Rewriting } from '../store.ts'

/**
 * Takes a text, or what a ref names, out of every entry of a session. Says which entries changed.
 * @throws RefNotFoundError, RedactionError
 */
export async function redact(
  { stored, now, emit }: Internals,
  what: { text: string } | { ref: Ref },
): Promise<Seq[]> {
  const change = 'text' in what ? redactText(what.text) : redactRef(await stored.whole(), what.ref)
  const note = await stored.redact(rewritingOf(change, now()))
  if (!note) return []
  emit({ type: 'appended', entries: [note] })
  return redactedSeqs(note)
}

/** A redaction as a store performs it, with a note that names the changed entries. */
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
